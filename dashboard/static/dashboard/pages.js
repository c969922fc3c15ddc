// The pages of a stored PDF on its own page. Without scripts there is a link to open it.

import { PdfView } from "./editor/pdfview.js";

const holder = document.querySelector("#pages-view");
const note = document.querySelector("#pages-note");

async function show() {
  const link = note.firstElementChild;
  note.replaceChildren("Loading the pages…");
  try {
    const answer = await fetch(holder.dataset.file);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const view = new PdfView(holder, { library: holder.dataset.pdf, worker: holder.dataset.pdfWorker });
    await view.show(await answer.arrayBuffer());
    note.replaceChildren();
  } catch (error) {
    holder.replaceChildren();
    note.replaceChildren(
      error.name === "PasswordException" ? "The document is protected by a password. " : "The pages cannot be shown here. ", link,
    );
  }
}

show();
