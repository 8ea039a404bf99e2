"""Keys of the texts that the scripts of several pages need."""

# Prefixes of the keys of texts for requests that fail.
FAILURE_TEXTS = ("web.no_connection", "web.rejected")

# Prefixes of the keys of texts that a page with a board needs.
GAME_TEXTS = (
    "web.",
    "level.",
    "page.new.",
    "board.",
    "outcome.",
    "count.squares",
    "side.",
    "piece.",
    "to_side.",
    "a_piece.",
    "to_kind.",
    "page.nav.analysis",
    "page.nav.help",
    "page.nav.glossary",
    *(
        f"error.{code}"
        for code in (
            "no_piece",
            "not_your_piece",
            "not_on_board",
            "not_in_line",
            "path_blocked",
            "square_occupied",
            "too_far",
            "throne_no_stop",
            "throne_no_pass",
            "corner_no_stop",
            "corner_no_pass",
            "camp_closed",
            "must_replay",
            "must_capture",
            "other_goes_on",
            "game_over",
            # Refusals of the server in a game.
            "no_seat",
            "not_your_turn",
            "board_changed",
            "leg_too_long",
            "not_begun",
            "leg_over",
            "adjudicated",
            "already_over",
            "time_over",
            "too_late_to_abort",
            "already_offered",
            "no_offer",
            "nothing_to_take_back",
            "nothing_to_claim",
            "not_long_enough",
            "not_saved",
            "conflict",
            "damaged_game",
            "too_many_games",
            "try_again.",
        )
    ),
)
