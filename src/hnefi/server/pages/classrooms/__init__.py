"""Classes and clubs: the page on which one is joined or created, and that of a class."""
