from django.db import migrations, models

from config.online_migrations import AddOnlineField


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('rendering', '0006_document_by_user_and_format'),
    ]

    operations = [
        AddOnlineField(
            model_name='batch',
            name='reference',
            field=models.CharField(blank=True, max_length=255, null=True),
        ),
        AddOnlineField(
            model_name='document',
            name='reference',
            field=models.CharField(blank=True, max_length=255, null=True),
        ),
    ]
