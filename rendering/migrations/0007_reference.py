from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('rendering', '0006_document_by_user_and_format'),
    ]

    operations = [
        migrations.AddField(
            model_name='batch',
            name='reference',
            field=models.CharField(blank=True, max_length=255, null=True),
        ),
        migrations.AddField(
            model_name='document',
            name='reference',
            field=models.CharField(blank=True, max_length=255, null=True),
        ),
    ]
