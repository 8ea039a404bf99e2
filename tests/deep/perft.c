/* Counts move sequences of one variant: written from the rules, apart from the core, to count what it counts.

   A board of one byte a square with a rim of two around it, and loops over squares. It knows only what the
   variants of the texts use: no camps, no corners of two by two, no rows, no areas. The numbers of the variant
   come from a header that perft.py writes.

   usage: perft ROWS SIDE QUIET DEPTH */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules.h" /* SIZE and the parameters */

enum { EMPTY, ATTACKER, DEFENDER, KING, OUTSIDE };
enum { NEVER_HOSTILE, HOSTILE_WHEN_EMPTY, ALWAYS_HOSTILE };
enum { CUSTODIAL, FOUR_SIDES, NEVER };

#define WIDTH (SIZE + 4)
#define SQUARES (WIDTH * WIDTH)
#define AT(file, rank) (((rank) + 2) * WIDTH + (file) + 2)
#define CENTRE AT(SIZE / 2, SIZE / 2)

typedef struct {
    unsigned char at[SQUARES];
    int king;
} Board;

typedef struct {
    unsigned char is[SQUARES];
    int list[SQUARES];
    int count;
} Set;

static const int STEPS[4] = {1, -1, WIDTH, -WIDTH};
static unsigned char is_corner[SQUARES], is_goal[SQUARES];

static int side_of(int piece) { return piece != ATTACKER; }

static int is_piece(int piece) { return piece != EMPTY && piece != OUTSIDE; }

static int is_enemy(int piece, int side) { return is_piece(piece) && side_of(piece) != side; }

static int kind_of(int piece) { return piece - 1; }

static void add(Set *set, int square) {
    if (!set->is[square]) {
        set->is[square] = 1;
        set->list[set->count++] = square;
    }
}

/* Where the piece on a square may go in one direction; gives how many squares. */
static int slide(const Board *board, int from, int step, int *targets) {
    int kind = kind_of(board->at[from]), count = 0;
    int longest = RANGE[kind] ? RANGE[kind] : SIZE;
    for (int to = from + step; longest-- > 0 && board->at[to] == EMPTY; to += step) {
        if (to == CENTRE) {
            if (THRONE_STOP[kind]) targets[count++] = to;
            if (!THRONE_PASS[kind]) break;
        } else if (!is_corner[to] || CORNER_STOP[kind]) {
            targets[count++] = to;
        }
    }
    return count;
}

static int destinations(const Board *board, int from, int *targets) {
    int count = 0;
    for (int way = 0; way < 4; way++) count += slide(board, from, STEPS[way], targets + count);
    return count;
}

static int open_roads(const Board *board) {
    int targets[SIZE], roads = 0;
    for (int way = 0; way < 4; way++) {
        int count = slide(board, board->king, STEPS[way], targets), found = 0;
        while (count > 0) found |= is_goal[targets[--count]];
        roads += found;
    }
    return roads;
}

/* Whether a square is hostile by itself to a kind of piece. */
static int is_hostile(const Board *board, int square, int kind) {
    int piece = board->at[square];
    if (piece == OUTSIDE) return kind == kind_of(KING) && EDGE_HOSTILE_KING;
    if (square == CENTRE) {
        if (piece == EMPTY) return THRONE_HOSTILE[kind] != NEVER_HOSTILE;
        return piece == KING && THRONE_HOSTILE[kind] == ALWAYS_HOSTILE;
    }
    if (!is_corner[square]) return 0;
    return CORNER_HOSTILE[kind] == ALWAYS_HOSTILE || (piece == EMPTY && CORNER_HOSTILE[kind] != NEVER_HOSTILE);
}

static int is_anvil(const Board *board, int square, int kind, int side) {
    int piece = board->at[square];
    if (piece == OUTSIDE) return 0;
    if (is_hostile(board, square, kind)) return 1;
    return is_piece(piece) && side_of(piece) == side && (piece != KING || KING_IS_ANVIL);
}

static int beside_centre(int square, const Board *board, int piece) {
    int count = 0;
    for (int way = 0; way < 4; way++) {
        int near = CENTRE + STEPS[way];
        count += square == near || (square == 0 && board->at[near] == piece);
    }
    return count;
}

static int manner_of(const Board *board) {
    if (board->king == CENTRE) return KING_CAPTURE[0];
    return KING_CAPTURE[beside_centre(board->king, board, EMPTY) ? 1 : 2];
}

static int is_king_captured(const Board *board, int beyond, int side) {
    int closed = 0;
    switch (manner_of(board)) {
    case CUSTODIAL:
        return is_anvil(board, beyond, kind_of(KING), side);
    case FOUR_SIDES:
        for (int way = 0; way < 4; way++) {
            int near = board->king + STEPS[way];
            closed += board->at[near] == ATTACKER || is_hostile(board, near, kind_of(KING));
        }
        return closed == 4;
    default:
        return 0;
    }
}

/* What the piece on `to` captures next to it; tells whether the king is. */
static int capture_beside(const Board *board, int to, Set *gone) {
    int side = side_of(board->at[to]), king_captured = 0;
    for (int way = 0; way < 4; way++) {
        int victim = to + STEPS[way], beyond = victim + STEPS[way], piece = board->at[victim];
        if (!is_enemy(piece, side)) continue;
        if (piece == KING) {
            king_captured |= is_king_captured(board, beyond, side);
        } else if (LINNAEAN && piece == DEFENDER && beyond == CENTRE && board->king == CENTRE &&
                   beside_centre(0, board, ATTACKER) == 3) {
            add(gone, victim);
            king_captured |= LINNAEAN == 2;
        } else if (is_anvil(board, beyond, kind_of(piece), side)) {
            add(gone, victim);
        }
    }
    return king_captured;
}

static void collect_group(const Board *board, int square, int side, Set *group) {
    add(group, square);
    for (int next = 0; next < group->count; next++)
        for (int way = 0; way < 4; way++) {
            int near = group->list[next] + STEPS[way];
            if (is_enemy(board->at[near], side)) add(group, near);
        }
}

/* Which blocked groups the piece on `to` captures; tells whether the king is in one. */
static int capture_groups(const Board *board, int to, Set *gone) {
    int side = side_of(board->at[to]), king_captured = 0, targets[4 * SIZE];
    for (int way = 0; way < 4; way++) {
        Set group = {{0}, {0}, 0};
        int moves = 0;
        if (!is_enemy(board->at[to + STEPS[way]], side)) continue;
        collect_group(board, to + STEPS[way], side, &group);
        for (int one = 0; one < group.count; one++) moves += destinations(board, group.list[one], targets);
        int has_king = side == side_of(ATTACKER) && group.is[board->king];
        if (group.count < 2 || moves > 0 || (has_king && manner_of(board) == NEVER)) continue;
        if (BLOCKED_GROUPS == 1 && !(has_king && group.count == 2)) continue;
        for (int one = 0; one < group.count; one++)
            if (group.list[one] != board->king) add(gone, group.list[one]);
        king_captured |= has_king;
    }
    return king_captured;
}

static int has_any(const Board *board, int piece) { return memchr(board->at, piece, SQUARES) != NULL; }

/* Makes a move; tells whether it ends the game, and by `captured` whether it captures. */
static int play(Board *board, int from, int to, int *captured) {
    int piece = board->at[from], king_captured = 0;
    Set gone = {{0}, {0}, 0};
    board->at[from] = EMPTY;
    board->at[to] = (unsigned char)piece;
    if (piece == KING) board->king = to;
    if (piece != KING || KING_IS_HAMMER) king_captured = capture_beside(board, to, &gone);
    if (BLOCKED_GROUPS) king_captured |= capture_groups(board, to, &gone);
    for (int one = 0; one < gone.count; one++) board->at[gone.list[one]] = EMPTY;
    *captured = gone.count > 0 || king_captured;
    if (king_captured || (piece == KING && is_goal[to])) return 1;
    if (GUARDS_CAPTURED && !has_any(board, DEFENDER)) return 1;
    if (ATTACKERS_CAPTURED && !has_any(board, ATTACKER)) return 1;
    return TUICHI && piece != ATTACKER && open_roads(board) >= 2;
}

static int list_moves(const Board *board, int side, int (*moves)[2]) {
    int count = 0, targets[4 * SIZE];
    for (int from = 0; from < SQUARES; from++) {
        if (!is_piece(board->at[from]) || side_of(board->at[from]) != side) continue;
        for (int left = destinations(board, from, targets); left > 0; count++) {
            moves[count][0] = from;
            moves[count][1] = targets[--left];
        }
    }
    return count;
}

static unsigned long long perft(const Board *board, int side, int quiet, int depth) {
    int moves[1024][2], count = list_moves(board, side, moves);
    unsigned long long nodes = 0;
    if (count == 0 && PASSES) count = list_moves(board, side = !side, moves);
    if (depth <= 1) return depth == 1 ? (unsigned long long)count : 1;
    for (int one = 0; one < count; one++) {
        Board after = *board;
        int captured, is_over = play(&after, moves[one][0], moves[one][1], &captured);
        int now_quiet = captured ? 0 : quiet + 1;
        if (is_over || (QUIET_LIMIT && now_quiet >= QUIET_LIMIT)) continue;
        nodes += perft(&after, !side, now_quiet, depth - 1);
    }
    return nodes;
}

static void read_rows(Board *board, const char *text) {
    memset(board->at, OUTSIDE, sizeof board->at);
    for (int rank = SIZE - 1; rank >= 0; rank--, text++)
        for (int file = 0; file < SIZE;) {
            char *end;
            int empty = (int)strtol(text, &end, 10);
            if (end != text) {
                for (text = end; empty > 0; empty--) board->at[AT(file++, rank)] = EMPTY;
                continue;
            }
            int piece = *text == 't' ? ATTACKER : *text == 'T' ? DEFENDER : KING;
            if (piece == KING) board->king = AT(file, rank);
            board->at[AT(file++, rank)] = (unsigned char)piece;
            text++;
        }
}

int main(int count, char **arguments) {
    Board board;
    if (count != 5) return 2;
    for (int rank = 0; rank < SIZE; rank++)
        for (int file = 0; file < SIZE; file++) {
            int at_side = file == 0 || file == SIZE - 1, at_end = rank == 0 || rank == SIZE - 1;
            is_corner[AT(file, rank)] = at_side && at_end;
            is_goal[AT(file, rank)] = GOAL_IS_EDGE ? at_side || at_end : at_side && at_end;
        }
    read_rows(&board, arguments[1]);
    printf("%llu\n", perft(&board, arguments[2][0] == 'd', atoi(arguments[3]), atoi(arguments[4])));
    return 0;
}
