"""What an intervention is called that gives no drug: placebo, care as usual, a kind of care."""

from __future__ import annotations

import re
from functools import lru_cache

from trialyst.vocabulary.doses import EDGES, plain

__all__ = ["FILLER", "has_name", "is_control", "keep_alternative", "names_no_drug"]

_SALINE = (
    r"(?:(?:0\.9 ?%|normal|isotonic|physiologic(?:al)?|sterile|buffered|phosphate[- ]buffered"
    r"|bacteriostatic) )*saline(?: (?:solution|infusion|injection|flush|serum|0\.9 ?%))*"
    r"|(?:0\.9 ?% ?)?(?:nacl|sodium chloride)(?: (?:solution|infusion|injection))?(?:,? ?0\.9 ?%)?"
    r"(?: (?:solution|infusion|injection))?"
)
_INERT = (
    r"(?:(?:sterile|deioni[sz]ed|distilled) )?water(?: for injection)?|sugar|lactose|starch"
    r"|(?:micro(?:crystalline )?)?cellulose|(?:medical|room) air|(?:vaccine )?diluent"
)
_WHOLE_CONTROL = re.compile(
    rf"(?:observation(?:al)?|watchful waiting|controls?|(?:active )?comparators?|vehicle|soc|tau"
    rf"|bsc|no \w+|none|n/?a|(?:study|test|investigational) drug|investigational product"
    rf"|inactive (?:ingredient|substance)s?|{_INERT}|{_SALINE})"
    rf"(?: (?:pills?|tablets?|capsules?|powders?|arm|group|only|alone|control))*",
)
_KIND_WORDS = (
    "soc|standard|conventional|combination|combined|systemic|(?:neo-?)?adjuvant|induction|consolidation"
    "|maintenance|salvage|palliative|rescue|intrathecal|intensive|concurrent|cytotoxic|optimi[sz]ed"
    "|background|current|continuation|additional|other|medical|biological|biologic|targeted|first"
    "|second|third|line|single|multi|agent|high|low|dose|dense|cancer|platinum|based|doublet|triplet"
    "|usual|routine|best|available|supportive|specific|local|general|regional|spinal|epidural"
    "|concomitant|previous|prior|oral|antihypertensive|antiretroviral|hormonal?|hormone|endocrine"
    "|immunosuppressive|antibiotic|antibacterial|antifungal|antiviral|antidepressant|antipsychotic"
    "|analgesic|anesthetic|anaesthetic|sedative|herbal|active|experimental|study|pharmacological"
    "|replacement|deferred|prompt|immediate|delayed|investigator'?s?|physician'?s?|choice|of|the|any|approved|allergen|an|a"
)
_KINDS = (
    "chemo|(?:poly|immuno|bio|radio)?chemotherapy|chemoradiotherapy|radiotherapy|radiation"
    "|immunotherapy|pharmacotherapy|therap(?:y|ies)|treatments?|medications?|medicines?|drugs?"
    "|regimens?|surgery|lasers?|care|management|an(?:a)?esthesia|analgesia|sedation|anesthetics?|agents?"
    "|antibiotics?|transplant(?:ation)?|intervention|procedure|protocol|vaccines?|vaccination"
    "|prophylaxis|supplementation|supplements?|choice|chemotherapies"
)
_NAMES_NO_DRUG = re.compile(
    rf"(?:(?:{_KIND_WORDS})[- ])*(?:{_KINDS})(?: (?:{_KINDS}|of choice))*",
)
_EVEN_WITHIN = re.compile(
    r"\b(?:placebos?|sham|dummy|vehicle|standard(?:[- ]of[- ]|\s+)(?:care|treatment|therapy)"
    r"|(?:usual|routine) care|care as usual|treatment as usual|non-medicated|unmedicated"
    r"|best (?:supportive|available) (?:care|therapy|treatment)|supportive care)\b",
)
_EITHER = re.compile(
    r"\s*(?:/|\(|,)?\s*\b(?:or|vs\.?|versus|and/or)\s+(?:an?\s+|its\s+)?"
    r"(?:(?:matching|matched|corresponding|identical)\s+)?(?:placebos?|vehicle|sham)\b.*$"
    r"|\s*/\s*(?:matching\s+)?placebos?$",
)
"""`X or placebo`, `X/placebo`: an arm of a blinded trial, of which the drug is kept."""
_EITHER_FIRST = re.compile(
    r"^(?:(?:matching|matched)\s+)?placebos?\s*(?:/|\bor\b|\bvs\.?(?=\s)|\bversus\b)\s*(?=\S)",
)

FILLER = frozenset(
    """a an the of for to in on at by or and as via per from with without than then plus vs versus
    alone only not no non all any other others both each same this that its into after before during
    until while when if up down over under first second third fourth one two three four five six 1 2
    3 4 5 6 7 8 9 10 i ii iii iv v b c d e f x n group groups arm arms cohort cohorts part parts
    level levels phase period stage schedule sequence subgroup treatment treatments therapy regimen
    regimens formulation formulations formula preparation product products drug drugs medication
    medications medicine agent agents dose doses dosing dosage dosages single double triple multiple
    fixed low lower lowest high higher highest medium mid middle full half standard usual regular
    normal conventional routine current new old novel generic branded brand reference test active
    inactive study trial experimental investigational control comparator open label open-label
    double-blind single-blind blinded blind masked unmasked randomized randomised daily weekly
    monthly biweekly once twice thrice time times day days week weeks month months year years hour
    hours hr hrs minute minutes min mg mcg ug g kg ml l iu cm cm2 cm^2 mm mm2 m2 unit units percent
    bid b.i.d tid qid qd od qam qpm po sc im iv s.c i.v p.o sq rate bolus loading maintenance
    induction continuation initial initially final additional extra rescue add-on adjunct adjunctive
    adjuvant combination combinations combined concomitant concurrent sequential administration
    administrations administered administer administering given giving receive receives received
    receiving taken take using use used application applied apply infusion infusions injection
    injections injectable inj inj. injected tablet tablets tab tabs capsule capsules caps cap pill
    pills granules granule powder solution suspension syrup liquid emulsion microemulsion aqueous
    aerosol spray drops drop eye ear nasal nasally oral orally topical topically gel cream ointment
    lotion foam foams patch patches system systems implant implants insert ring depot device devices
    spacer pen pens prefilled pre-filled
    syringe syringes vial vials cartridge cartridges autoinjector
    inhaler diskus accuhaler turbuhaler handihaler ellipta inhaled
    inhalation nebulized nebulised intranasal intravenous intravenously
    subcutaneous subcutaneously intramuscular intramuscularly intradermal intravitreal intrathecal
    intraperitoneal intra-articular sublingual buccal rectal vaginal transdermal ophthalmic otic
    epicutaneous percutaneous intramyocardial transendocardial intracerebral intrauterine
    intranodal intralesional subretinal suprachoroidal subconjunctival periarticular
    chromatography purified intratumoral intralymphatic intravesical intracoronary intra-arterial
    intraarterial intraventricular intraocular perineural epidural
    release extended immediate sustained controlled modified prolonged delayed slow fast rapid
    enteric-coated enteric coated chewable dispersible disintegrating orodispersible film-coated
    film mr er sr xr xl cr ir pr la lar odt oros cd dr monotherapy mono commercial commercially
    available marketed approved licensed manufactured made tm supplement supplementation
    supplements subjects subject patients patient participants volunteers adults adult children
    pediatric paediatric infants women men female male healthy junior forte strength concentration
    lot batch version type kind form mix based containing contains including pretreatment
    premedication pre-medication prophylaxis prophylactic challenge visit cycle cycles course
    courses re-treatment retreatment switch switched discontinued discontinuation withdrawal
    early late later immediate long short long-term short-term acute chronic dual twice-daily
    once-daily matching matched needed prn therapeutic addition eq pdt
    fasted fasting fed state fdc""".split()
)
"""Words that say how, when or to whom something is given, and never what."""
_FORMLESS = re.compile(r"[\d.,%/^+()\[\]<>=×x*:;&'\"-]+")


@lru_cache(50_000)
def is_control(name: str) -> bool:
    """Whether an intervention is placebo, sham, saline, standard of care or nothing at all.

    >>> [is_control(name) for name in ("Matching placebo", "SoC", "Control", "Glycaemic control")]
    [True, True, True, False]
    >>> is_control("0.9% normal saline"), is_control("Hypertonic saline"), is_control("NaCl")
    (True, False, True)
    """
    letters = plain(name)
    return bool(_EVEN_WITHIN.search(letters) or _WHOLE_CONTROL.fullmatch(letters.strip(EDGES)))


def keep_alternative(name: str) -> str:
    """Give `X` of `X or placebo`: an arm of a blinded trial gives the one or the other.

    >>> keep_alternative("Semaglutide or placebo"), keep_alternative("Placebo for semaglutide")
    ('Semaglutide', 'Placebo for semaglutide')
    """
    letters = plain(name)
    if "placebo" not in letters and "vehicle" not in letters and "sham" not in letters:
        return name
    if (found := _EITHER.search(letters)) and found.start() > 0:
        return name[: found.start()]
    if found := _EITHER_FIRST.match(letters):
        return name[found.end() :]
    return name


@lru_cache(50_000)
def names_no_drug(name: str) -> bool:
    """Whether a name is a control, or a kind of treatment, and nothing else."""
    bare = plain(name).strip(EDGES)
    return bool(_WHOLE_CONTROL.fullmatch(bare) or _NAMES_NO_DRUG.fullmatch(bare))


def has_name(words: list[str]) -> bool:
    """Whether some word may be a name: not about how something is given, and no bare number."""
    return any(
        len(word) > 1 and word.lower() not in FILLER and not _FORMLESS.fullmatch(word)
        for word in words
    )
