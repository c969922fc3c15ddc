from django.db import migrations, models

from config.online_migrations import AddOnlineIndex


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('rendering', '0007_reference'),
    ]

    operations = [
        AddOnlineIndex(
            model_name='document',
            index=models.Index(
                condition=models.Q(('reference__isnull', False)),
                fields=['organization', 'reference', '-id'],
                name='document_by_reference',
            ),
        ),
    ]
