"""Pictures of documents: pages of a PDF and sheets of a workbook as small PNGs."""
