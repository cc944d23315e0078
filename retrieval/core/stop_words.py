"""Words too frequent to tell passages apart, by language, folded as the analysis folds them."""

from __future__ import annotations

from typing import Final

_ENGLISH: Final = """
a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to
was will with
"""
_GERMAN: Final = """
aber als am an auch auf aus bei bin bis das dass dem den der des die doch ein eine einem einen einer eines er es fur
hat ich ihr im in ist ja mit nach nicht noch nur oder sein sich sie sind so uber um und uns vom von vor war was wenn
wie wir wird zu zum zur
"""
_FRENCH: Final = """
a au aux avec ce ces cette dans de des du elle en est et eux il ils je la le les leur lui ma mais me meme mes ne nos
notre nous on ou par pas pour qu que qui sa se ses son sont sur ta te tes toi ton tu un une vos votre vous c d j l m n
s t y
"""
_SPANISH: Final = """
a al algo como con cual cuando de del desde donde e el ella en entre era es esa ese eso esta este esto ha han la las
le les lo los mas me mi muy no nos o para pero por que se si sin sobre son su sus te tu un una uno y ya
"""
_ITALIAN: Final = """
a ad al alla alle anche c che chi ci come con cui da dal dalla degli dei del della delle di e ed era gli ha i il in io
la le lei lo loro lui ma mi ne nei nel nella no noi non o per piu quale quando quanto se sei si sono su sua suo tra un
una
"""
_PORTUGUESE: Final = """
a ao aos as com como da das de do dos e ela ele em entre era essa esse esta este eu foi ha isso ja mais mas me na nas
nao no nos o os ou para pela pelo por qual quando que se sem ser seu sua sao sobre tem um uma voce
"""
_DUTCH: Final = """
aan als bij dan dat de den der deze die dit door een en er had heeft het hij hoe hun ik in is je kan maar me meer men
met mijn na naar niet nog nu of om onder ons ook op over te tot uit van veel voor was wat we wel werd wie wij zal ze
zij zijn zo
"""
_SWEDISH: Final = """
alla att av de dem den det du efter ej eller en er ett for fran ha han har hon i inte jag kan man med men mot nar nu
och om pa sa sig sin som till ut var vi vid at
"""
_DANISH: Final = """
af alle at da de dem den der det du efter eller en er et for fra han har hun i ikke jeg kan man med men nar nu og om
op pa sa sig sin som til ud var vi ved
"""
_NORWEGIAN: Final = """
av alle at da de dem den der det du etter eller en er et for fra han har hun i ikke jeg kan man med men nar na og om
opp pa sa seg sin som til ut var vi ved
"""
_RUSSIAN: Final = """
а без был была были было в во вот все вы где да для до его ее если есть же за и из или им их к как ко когда кто ли мы
на не нет ни но о об он она они оно от по при с со так то только ты у уже что это я
"""
_ARABIC: Final = """
في من الى على ان هذا هذه ذلك التي الذي كان كانت قد عن مع هو هي ما لا لم او و ثم كل بعد قبل بين حتى اذا ال
"""
_ASKING: Final = """
about any can could did do does done during each from had has have having how i its me my our please should show tell
us we were what when where which who whom whose why would you your between been being than also them those some
"""

STOP_WORDS: Final[dict[str, frozenset[str]]] = {
    "english": frozenset(_ENGLISH.split()),
    "german": frozenset(_GERMAN.split()),
    "french": frozenset(_FRENCH.split()),
    "spanish": frozenset(_SPANISH.split()),
    "italian": frozenset(_ITALIAN.split()),
    "portuguese": frozenset(_PORTUGUESE.split()),
    "dutch": frozenset(_DUTCH.split()),
    "swedish": frozenset(_SWEDISH.split()),
    "danish": frozenset(_DANISH.split()),
    "norwegian": frozenset(_NORWEGIAN.split()),
    "russian": frozenset(_RUSSIAN.split()),
    "arabic": frozenset(_ARABIC.split()),
}

ASKING: Final = frozenset(_ASKING.split())
"""English words that ask and connect; left out of questions only, so that a passage keeps them in its phrases."""
