from django.db import migrations, models

from config.online_migrations import AddOnlineIndex, RemoveOnlineIndex


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('rendering', '0005_batch_with_key'),
    ]

    operations = [
        AddOnlineIndex(
            model_name='document',
            index=models.Index(
                fields=['organization', 'external_user_id', '-id', 'format'], name='document_by_user_and_format'
            ),
        ),
        RemoveOnlineIndex(model_name='document', name='document_by_user'),
    ]
