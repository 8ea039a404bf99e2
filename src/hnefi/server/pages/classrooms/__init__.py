"""Classes and clubs: the page on which one is joined or created, and that of a class."""

from hnefi.server.pages.game_texts import FAILURE_TEXTS
from hnefi.server.pages.page import Page

PAGES = (
    Page(
        "classrooms",
        "/class",
        "classrooms",
        files=("classrooms.css", "classrooms.js"),
        texts=("page.class.who", *FAILURE_TEXTS),
        nav="people",
    ),
    Page(
        "classroom",
        "/class/{code}",
        "classrooms",
        files=("classroom.css", "classroom.js"),
        texts=(
            *("page.class.", "error.class_closed", "error.device_playing", "error.unknown_class", "web.copy"),
            *("web.invite.copied", "web.qr", "web.action.retry", "web.to_start", *FAILURE_TEXTS),
        ),
        nav="people",
    ),
)
