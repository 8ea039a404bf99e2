"""How do I list the squares that a piece can reach, and those on which pieces can be captured?"""

from hnefi import Side, variant
from hnefi.squares import capturable, pieces_on, reachable, unsafe

game = variant("brandub-globe").new_game("7/7/2tT3/7/4t2/3T3/1K5 d")
position = game.position

print("the attackers could capture on:", *capturable(position, Side.DEFENDERS))
print("the soldier on d2 can go to:", *reachable(position, "d2"))
print("but could be captured on:", *unsafe(position, "d2"))
safe = reachable(position, "d2") - unsafe(position, "d2")
print(f"safe are {len(safe)} squares; the defenders stand on", *pieces_on(position, Side.DEFENDERS))
print(safe)
