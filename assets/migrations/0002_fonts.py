"""Fonts beside images: they have neither width nor height."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('assets', '0001_initial'),
    ]

    operations = [
        migrations.AlterField(
            model_name='asset',
            name='kind',
            field=models.CharField(choices=[('image', 'Image'), ('font', 'Font')], default='image', max_length=16),
        ),
        migrations.AlterField(
            model_name='asset',
            name='width',
            field=models.PositiveIntegerField(blank=True, help_text='pixels; empty for a font', null=True),
        ),
        migrations.AlterField(
            model_name='asset',
            name='height',
            field=models.PositiveIntegerField(blank=True, help_text='pixels; empty for a font', null=True),
        ),
    ]
