"""Pages of text: about this site, help, glossary, licences and imprint."""
