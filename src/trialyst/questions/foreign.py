"""What questions in other languages of Europe say besides names."""

from __future__ import annotations

__all__ = [
    "FOREIGN_ARTICLE",
    "FOREIGN_CHILDREN",
    "FOREIGN_FILLER",
    "FOREIGN_IN",
    "FOREIGN_TRIALS",
]

FOREIGN_TRIALS = frozenset(
    """
    ensaio ensaios ensayo ensayos essai essais estudio estudios estudo estudos prove studi studie
    studien studier studio badania badanie onderzoek onderzoeken étude études
    """.split()
)
FOREIGN_FILLER = frozenset(
    """
    ai al all alla aos aus avec bei chez cliniche clinici clinique cliniques clínico clínicos con
    contra d da das de del dell della dem den der des di die dos du e ein eine el em en es et
    existen für gegen gibt gibts gli hay il in ist klinische klinischen l la las le les los mit
    na no o oder os ou pacientes para patienten patients pazienti per por pour quali quels sind
    sobre su sui sul sur un una und y zu zum zur à
    """.split()
)
FOREIGN_CHILDREN = frozenset(
    "bambini barn crianças dzieci enfants kinder kinderen kindern niñas niños".split()
)
FOREIGN_IN = (
    r"im|dans|au|aux|em|nos|nas|w|we|à|nel|nell|nella|nei|negli|(?-i:na)"
    r"|(?-i:no)(?=\s+(?-i:Brasil|Reino|Japão|Canadá|México|Egito|Rio\s))"
    r"|i(?=\s+(?:Sverige|Norge|Danmark|Tyskland|Frankrike|Spanien|Italien|Storbritannien))"
    r"|a(?=\s+(?:Roma|Milano|Torino|Napoli|Firenze|Genova|Padova))"
)
"""Words for *in* before a place. Those that are English words too only as they are written before
names that no English text has behind them: "no Brasil" is no denial."""
FOREIGN_ARTICLE = r"(?:der|den|dem|die|la|las|los|les|le|il|gli|de|het|o|os)\s+"
