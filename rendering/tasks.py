"""What workers do for documents and batches. Each may run twice: rows decide what is left to do."""

from __future__ import annotations

from datetime import timedelta

from django_tasks import task

from config.jobs import ASSEMBLY, LOW
from config.jobs.queue import revive

# How long a job that was given up stays so: the part that was away may be back.
REVIVED_AFTER = timedelta(hours=1)


@task
def render_in_background(document_id: str) -> None:
    """Render a document whose request did not wait for it."""
    from rendering.background import render

    render(document_id)


@task(priority=LOW)
def render_chunk(chunk_id: str) -> None:
    """Render some items of a batch, then conclude it when they were the last ones."""
    from rendering.batch_work import render_items

    render_items(int(chunk_id))


@task(priority=LOW, queue_name=ASSEMBLY)
def assemble_batch(batch_id: str) -> None:
    """Make the zip or merged file of a batch whose items are all done."""
    from rendering.batch_work import assemble

    assemble(batch_id)


@task(priority=LOW)
def delete_batch(batch_id: str) -> None:
    """Delete the documents and the file of a batch."""
    from rendering.deletion import delete_contents

    delete_contents(batch_id)


def resume_given_up() -> int:
    """Put the jobs that were given up back into the queue; return how many there were.

    Nothing else takes up a batch that waits for its job. What cannot be done ends by its own attempts.
    """
    return revive((render_in_background, render_chunk, assemble_batch, delete_batch), REVIVED_AFTER)
