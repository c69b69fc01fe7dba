"""From a dossier to a document: which sentences, tables and charts stand where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from trialyst.agents.answer import late_read_outs
from trialyst.agents.charts import (
    BLUE,
    ORANGE,
    Bar,
    draw_competitors,
    draw_phases,
    draw_stop_reasons,
    draw_timeline,
)
from trialyst.agents.document import Block, Document, Grid, Listing, Picture, Section
from trialyst.agents.field_charts import draw_pipelines
from trialyst.agents.findings import (
    Concern,
    CritiqueFinding,
    LandscapeFinding,
    LiteratureFinding,
    Maturity,
    PivotalTrial,
    TrialFinding,
)
from trialyst.agents.sentences import SentenceKind, cite, listed, of
from trialyst.agents.supervisor import Dossier
from trialyst.agents.wording import rank_of, shorten, status_words
from trialyst.repurposing.models import CompetitorEntry, Pipeline, Trial
from trialyst.vocabulary.classes import drug_class

__all__ = ["lay_out"]

_TRIALS_SHOWN = 40
_COMPETITORS_SHOWN = 12
_CONCERNS_SHOWN = 12
_READ_OUTS_SHOWN = 12
_PIPELINES_SHOWN = 12
_END_POINTS_SHOWN = 10
_LONGEST_TITLE = 110
_BAR = 36
_MATURITY = {
    Maturity.NONE: "none: no trial",
    Maturity.REGISTERED: "registered: no trial has completed",
    Maturity.EARLY: "early: nothing beyond phase 1/2 has completed",
    Maturity.MID: "mid: phase 2 or 2/3 has completed",
    Maturity.LATE: "late: phase 3 or 4 has completed",
}
_STOPS = ("safety", "efficacy", "enrollment", "business", "other", "unknown")


def lay_out(dossier: Dossier) -> Document:
    """Give the document of a dossier."""
    question = dossier.question
    as_of = f", as of {question.date_before}" if question.date_before else ""
    caption = _caption(dossier)
    return Document(
        title=f"{question.drug} in {question.condition}{as_of}",
        subtitle="Repurposing dossier from registered clinical trials",
        warnings=tuple(_warnings(dossier)),
        sections=tuple(_each_once(_sections(dossier), caption)),
        synthetic=dossier.provenance.synthetic,
    )


def _caption(dossier: Dossier) -> str:
    """Say where the numbers of the charts come from, and of when."""
    told = dossier.provenance
    day = (told.data_timestamp or "")[:10]
    dated = f", records of {day}" if day else ""
    return f"Source: registered trials, {told.source}{dated}; drawn on {dossier.made_on}."


def _each_once(sections: Iterator[Section], caption: str) -> Iterator[Section]:
    """Leave out sentences that were said before, and put the caption under every chart."""
    said: set[str] = set()

    def once(block: Block) -> Block:
        if isinstance(block, Picture):
            return replace(block, caption=caption)
        if isinstance(block, Grid):
            return block
        new = [each for each in block.sentences if each.text not in said]
        said.update(each.text for each in new)
        return Listing(new)

    for section in sections:
        yield Section(section.title, tuple(map(once, section.blocks)))


def _warnings(dossier: Dossier) -> Iterator[str]:
    if dossier.provenance.synthetic:
        yield "SYNTHETIC RECORDS: everything below is invented, for trying things out."
    if dossier.provenance.is_partial:
        yield (
            f"This source holds {dossier.provenance.records:,} records, a part of "
            "ClinicalTrials.gov: no trial found here is no proof that there is none."
        )
    yield from (note for note in dossier.provenance.notes if " days old " in note)
    yield from _name_warnings(dossier)
    for failure in dossier.failures:
        yield f"Incomplete: the {failure.agent} agent failed ({failure.problem})."
    if dossier.question.date_before and not dossier.question.point_in_time:
        yield (
            f"Trials first posted by {dossier.question.date_before}, shown with what is known "
            "today, some of which may not have been known then."
        )


def _name_warnings(dossier: Dossier) -> Iterator[str]:
    """Say what of the question may not have been understood as it was meant."""
    known = drug_class(dossier.question.drug)
    if known is not None:
        such = ", ".join(known.members[:3])
        yield (
            f"{dossier.question.drug!r} is a class of drugs, searched here by that name alone: "
            f"name one drug, such as {such}."
        )
    if dossier.trial is None:
        return
    signal = dossier.trial.whitespace_signal
    for name in (signal.drug, signal.condition):
        if name.ambiguous:
            meant = listed(list(name.may_mean), last="or")
            yield f"{name.asked!r} may mean {meant}: searched as written, give the full name."
        elif not name.known:
            near = f" Written alike: {', '.join(name.nearest)}." if name.nearest else ""
            yield f"{name.asked!r} is no name known here: searched as written.{near}"


def _sections(dossier: Dossier) -> Iterator[Section]:
    yield Section("Answer", (Listing(dossier.summary),))
    yield Section("At a glance", (Grid(None, tuple(_glance(dossier))),))
    if dossier.trial is not None:
        yield Section("Trials of the pair", tuple(_trial_blocks(dossier.trial)))
    if dossier.critique is not None:
        yield Section("What stopped, and why", tuple(_critique_blocks(dossier.critique)))
    if dossier.landscape is not None:
        partial = int((dossier.question.date_before or dossier.made_on)[:4])
        yield Section("The field", tuple(_landscape_blocks(dossier.landscape, partial)))
    if dossier.literature is not None:
        yield Section("Papers", tuple(_paper_blocks(dossier.literature)))
    yield Section("Coverage and method", (Listing(dossier.coverage),))


def _glance(dossier: Dossier) -> Iterator[tuple[str, str]]:
    if dossier.trial is not None:
        signal, evidence = dossier.trial.whitespace_signal, dossier.trial.trial_evidence
        yield "Grade", signal.grade.value.replace("_", " ")
        yield "Maturity of the evidence", _MATURITY[evidence.maturity]
        yield "Trials of the pair", f"{evidence.total_count:,}"
        yield "Highest phase", evidence.highest_phase or "none"
        weighed = len(evidence.trials)
        of_them = f" (in the {weighed:,} weighed)" if weighed < evidence.total_count else ""
        yield "People in them", f"{evidence.enrollment:,}{of_them}"
        yield "Trials of the drug, any condition", f"{signal.drug_only_trials:,}"
        yield "Trials of the condition, any drug", f"{signal.condition_only_trials:,}"
    if dossier.critique is not None and dossier.critique.concerns:
        gravest = dossier.critique.concerns[0]
        yield "Stopped trials around it", f"{len(dossier.critique.concerns):,}"
        told = f"{gravest.severity} of 100, {gravest.category} ({gravest.nct_id})"
        yield "Gravest concern", told
    if dossier.landscape is not None:
        field = dossier.landscape.competitive_map
        yield "Sponsor and drug pairs in the field", f"{field.competitor_count:,}"
        if field.trend is not None:
            yield "Trend of starts", field.trend.direction


def _trial_blocks(found: TrialFinding) -> Iterator[Block]:
    yield from _pivotal_blocks(found.pivotal)
    yield Listing(found.sentences)
    trials = (*found.trial_evidence.trials, *found.trial_evidence.otherwise)
    if not trials:
        return
    more = len(trials) - _TRIALS_SHOWN
    title = f"The furthest {_TRIALS_SHOWN} of {len(trials):,}" if more > 0 else "All trials"
    heads = ("Trial", "Role", "Phase", "Status", "People", "Start", "Sponsor", "Title")
    yield Grid(heads, tuple(map(_trial_row, trials[:_TRIALS_SHOWN])), title)


def _pivotal_blocks(pivotal: Sequence[PivotalTrial]) -> Iterator[Block]:
    heads = ("Trial", "Phase", "Design", "People", "Status", "Primary end point")
    rows = [
        (
            each.nct_id,
            each.phase,
            each.design or "not stated",
            "" if each.enrollment is None else f"{each.enrollment:,}",
            status_words(each.status),
            each.end_point,
        )
        for each in pivotal
    ]
    yield Grid(heads, rows, "Pivotal trials, by phase, results, design and size")
    read = [each for each in pivotal if each.outcome]
    columns = ("Trial", "Primary end point", "Outcome", "Effect", "p", "Serious events by arm")
    results = [
        (
            each.nct_id,
            each.end_point,
            f"{(each.outcome or '').replace('_', ' ')}: {each.reason}",
            each.effect or "not given",
            each.p_value or "not given",
            each.serious_events or "not given",
        )
        for each in read
    ]
    yield Grid(columns, results, "Posted results")


def _trial_row(trial: Trial) -> tuple[str, ...]:
    number = "" if trial.enrollment is None else f"{trial.enrollment:,}"
    return (
        trial.nct_id,
        trial.role or "",
        trial.phase,
        status_words(trial.overall_status),
        number,
        trial.start_date or "",
        trial.sponsor,
        shorten(trial.title, _LONGEST_TITLE),
    )


def _critique_blocks(found: CritiqueFinding) -> Iterator[Block]:
    overviews = [each for each in found.sentences if not each.topic]
    concerns = [each for each in found.sentences if each.topic]
    yield Listing([each for each in overviews if each.kind is not SentenceKind.METHOD])
    for each in found.overviews:
        counts = {name: each.summary.categories.get(name, 0) for name in _STOPS}
        if any(counts.values()):
            yield _reasons(f"Why trials of {each.name} ({each.kind}) stopped", counts)
    yield Listing(concerns)
    if found.concerns:
        heads = ("Trial", "Severity", *(term.name for term in found.concerns[0].severity_terms))
        rows = tuple(map(_severity_row, found.concerns[:_CONCERNS_SHOWN]))
        yield Grid(heads, rows, "How each severity came about")
    yield Listing([each for each in overviews if each.kind is SentenceKind.METHOD])


def _severity_row(concern: Concern) -> tuple[str, ...]:
    terms = (
        f"{term.value:g}" if term.weight is None else f"{term.value:.2f} x {term.weight:g}"
        for term in concern.severity_terms
    )
    return concern.nct_id, str(concern.severity), *terms


def _landscape_blocks(found: LandscapeFinding, partial: int) -> Iterator[Block]:
    field = found.competitive_map
    yield Listing(found.sentences)
    if not field.total_trial_count:
        return
    yield Picture(
        "Trials by phase",
        lambda form: draw_phases(found.phase_distribution, title="Trials by phase", form=form),
        _text_bars(found.phase_distribution),
    )
    starts, stops = _dated(field.starts_by_year), _dated(field.stops_by_year)
    undated = sum(field.stops_by_year.values()) - sum(stops.values())
    years = "Starts and stops by year" + (f"; {of(undated, 'stop')} undated" if undated else "")
    yield Picture(
        years,
        lambda form: draw_timeline(starts, stops, title=years, partial=partial, form=form),
        _text_years(starts, stops, partial),
    )
    shown = field.competitors[:_COMPETITORS_SHOWN]
    if shown:
        bars = [_competitor_bar(each, is_own=each in found.own) for each in shown]
        yield Picture(
            "Furthest competitors",
            lambda form: draw_competitors(bars, title="Furthest competitors", form=form),
            _text_competitors(bars),
        )
        columns = ("Drug", "Sponsor", "Phase", "Trials", "People", "Newest start", "Records")
        yield Grid(columns, tuple(map(_competitor_row, shown)), "Furthest competitors")
    yield from _pipelines(field.pipelines[:_PIPELINES_SHOWN])
    coming = late_read_outs(field)
    ahead = [
        (each.date, each.drug, each.sponsor, each.phase, status_words(each.status), each.nct_id)
        for each in coming[:_READ_OUTS_SHOWN]
    ]
    expected = ("Expected", "Drug", "Sponsor", "Phase", "Status", "Trial")
    part = f": the next {len(ahead)} of {len(coming):,}" if len(coming) > len(ahead) else ""
    yield Grid(expected, ahead, f"What reads out next{part}")
    used = [(each.name, f"{each.trial_count:,}") for each in field.end_points[:_END_POINTS_SHOWN]]
    yield Grid(("Primary end point", "Trials"), used, "End points used in the field")
    transitions = [
        (f"{each.from_phase} to {each.to_phase}", f"{each.drugs:,}", f"{each.advanced:,}")
        for each in field.phase_transitions
        if each.drugs
    ]
    if transitions:
        heads = ("Step", "Drugs that reached the first", "Of them reached the second")
        yield Grid(heads, transitions, "How far drugs went in this condition")


def _paper_blocks(found: LiteratureFinding) -> Iterator[Block]:
    yield Listing(found.sentences)
    unread: dict[str, list[str]] = {}
    for cited in found.papers:
        if cited.paper is None:
            unread.setdefault(", ".join(cited.nct_ids), []).append(f"PMID {cited.pmid}")
    if unread:
        rows = [(trials, ", ".join(pmids)) for trials, pmids in unread.items()]
        yield Grid(("Trials", "Papers"), rows, "Papers listed by the registry")


def _pipelines(shown: Sequence[Pipeline]) -> Iterator[Picture]:
    if not shown:
        return
    title = "Pipelines by sponsor and phase"
    told = (
        f"{each.sponsor}: {listed([f'{d.drug_name} ({d.max_phase})' for d in each.drugs[:6]])}"
        for each in shown
    )
    yield Picture(
        title, lambda form: draw_pipelines(shown, title=title, form=form), "\n".join(told)
    )


def _competitor_bar(entry: CompetitorEntry, *, is_own: bool) -> Bar:
    trials = f"{entry.trial_count:,} trial{'s' if entry.trial_count != 1 else ''}"
    return Bar(
        label=f"{entry.drug_name} · {entry.sponsor}",
        value=rank_of(entry.max_phase) / 2,
        note=f"{entry.max_phase}, {trials}, {entry.total_enrollment:,} people",
        colour=ORANGE if is_own else BLUE,
    )


def _competitor_row(entry: CompetitorEntry) -> tuple[str, ...]:
    return (
        entry.drug_name,
        entry.sponsor,
        entry.max_phase,
        f"{entry.trial_count:,}",
        f"{entry.total_enrollment:,}",
        entry.most_recent_start or "",
        cite(entry.nct_ids, most=3),
    )


def _reasons(title: str, counts: Mapping[str, int]) -> Picture:
    return Picture(
        title,
        lambda form: draw_stop_reasons(counts, title=title, form=form),
        _text_bars(counts),
    )


def _text_bars(values: Mapping[str, int]) -> str:
    most, width = max(values.values(), default=0) or 1, max(map(len, values), default=0)
    return "\n".join(
        f"{name:<{width}}  {'█' * round(value / most * _BAR)} {value:,}".rstrip()
        for name, value in values.items()
    )


def _dated(years: Mapping[str, int]) -> dict[str, int]:
    return {year: number for year, number in years.items() if year.isdigit()}


def _text_years(starts: Mapping[str, int], stops: Mapping[str, int], partial: int) -> str:
    years = sorted({*starts, *stops})[-15:]
    most = max((starts.get(year, 0) for year in years), default=0) or 1
    return "\n".join(
        f"{year}  {'█' * round(starts.get(year, 0) / most * _BAR)} {starts.get(year, 0):,} started"
        f", {stops.get(year, 0):,} stopped{' (part of the year)' if int(year) == partial else ''}"
        for year in years
    )


def _text_competitors(bars: Sequence[Bar]) -> str:
    width = max(len(bar.label) for bar in bars)
    return "\n".join(
        f"{bar.label:<{width}}  {'█' * round(bar.value * 5)} {bar.note}" for bar in bars
    )
