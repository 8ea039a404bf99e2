"""The rules strings of the variants that OpenTafl 0.4.8 brings, in the words of its notation."""

_TABLUT = "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/"
_DIAMOND = "/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/"
_CROSS = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
_BELL = "/4ttt4/4t1t4/5t5/5T5/tt2TTT2tt/t1tTTKTTt1t/tt2TTT2tt/5T5/5t5/4t1t4/4ttt4/"
_BERSERK = "/3ttttt3/5c5/11/t4T4t/t3NTT3t/tc1TTKTT1ct/t3TTT3t/t4T4t/11/5c5/3ttttt3/"
_FIFTEEN = (
    "/5ttttt5/6ttt6/7t7/7t7/7T7/t5TTT5t/tt3T1T1T3tt/ttttTTTKTTTtttt/"
    "tt3T1T1T3tt/t5TTT5t/7T7/7t7/7t7/6ttt6/5ttttt5/"
)
_PARLETT = "/4ttttt4/5t1t5/6t6/6T6/t3T3T3t/tt3TTT3tt/t1tT1TKT1Tt1t/tt3TTT3tt/t3T3T3t/6T6/6t6/5t1t5/4ttttt4/"
_ALEA = (
    "/2t2t7t2t2/19/t4t7t4t/7t1t1t7/6t1T1T1t6/t1t2t7t2t1t/4t4T4t4/3t4T1T4t3/4T2T1T1T2T4/3t2T1TKT1T2t3/"
    "4T2T1T1T2T4/3t4T1T4t3/4t4T4t4/t1t2t7t2t1t/6t1T1T1t6/7t1t1t7/t4t7t4t/19/2t2t7t2t2/"
)
_CORNERS_19 = "a1,a2,b1,b2,a18,b18,a19,b19,r1,r2,s1,s2,r18,r19,s18,s19,"
_FORTS = "a4,a5,a6,b5,d1,e1,f1,e2,i4,i5,i6,h5,d9,e9,f9,e8,"
_SOME = "tcnkTCNK"

BUILT_IN = {
    "sea-battle-9": f"dim:9 name:Sea_Battle esc:e atkf:y ka:n nj:n cj:n cor: cen: start:{_TABLUT}",
    "fetlar": f"dim:11 name:Fetlar atkf:y nj:n cj:n start:{_DIAMOND}",
    "copenhagen": f"dim:11 name:Copenhagen atkf:y tfr:w sw:s efe:y start:{_DIAMOND}",
    "copenhagen-relaxed": (
        f"dim:11 name:Copenhagen_(relaxed_shieldwall) atkf:y tfr:w sw:s swf:n efe:y start:{_DIAMOND}"
    ),
    "berserk": f"dim:11 name:Berserk surf:n atkf:n tfr:l kj:r ber:c start:{_BERSERK}",
    "brandub": f"dim:7 name:Brandub surf:n atkf:y ks:w cenh: cenhe: start:{_CROSS}",
    "tawlbwrdd": f"dim:11 name:Tawlbwrdd esc:e atkf:y ks:w nj:n cj:n cor: cen: start:{_BELL}",
    "tablut": (
        f"dim:9 name:Tablut esc:e atkf:y ks:c nj:n cor: cenp:{_SOME} cens: cenh: cenhe:{_SOME} linc:y "
        f"start:{_TABLUT}"
    ),
    "foteviken": (
        f"dim:9 name:Foteviken_Tablut esc:e atkf:y nj:n cor: afor:{_FORTS} cenp:{_SOME} aforp:{_SOME} "
        f"cens: cenh: cenhe:K aforh:K cenre: aforre: start:{_TABLUT}"
    ),
    "magpie": (
        f"dim:7 name:Magpie surf:n atkf:y ks:m spd:-1,-1,-1,-1,-1,-1,-1,-1,-1,1,-1,-1, start:{_CROSS}"
    ),
    "computer-fetlar": f"dim:11 name:Computer_Fetlar atkf:y tfr:w start:{_DIAMOND}",
    "tablut-15": f"dim:15 name:Tablut esc:e atkf:y ks:c nj:n cor: cens: cenh: start:{_FIFTEEN}",
    "sea-battle-13": (
        f"dim:13 name:Sea_Battle_(Parlett) esc:e atkf:y ka:n nj:n cj:n cor: cen: start:{_PARLETT}"
    ),
    "alea": (
        f"dim:19 name:Alea_Evangelii atkf:y tfr:w cor:{_CORNERS_19} cenp:{_SOME} cens: cenh: "
        f"cenhe:{_SOME} start:{_ALEA}"
    ),
}

# Positions after so many plies that its program counts.
COUNTED = {
    "brandub": (40, 960),
    "magpie": (40, 960),
    "tablut": (80, 4_400),
    "sea-battle-9": (80, 4_400),
    "foteviken": (80, 4_344),
    "copenhagen": (116, 6_788),
    "fetlar": (116, 6_788),
    "tawlbwrdd": (136, 7_620),
    "sea-battle-13": (184, 23_436),
    "tablut-15": (264, 35_584),
    "alea": (580, 107_492),
}
