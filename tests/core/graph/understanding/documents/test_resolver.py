from __future__ import annotations

import time
from collections.abc import Sequence

import pytest
from langchain_core.messages import BaseMessage

from core.errors import fail
from core.events import Action
from core.graph.records import Message
from core.graph.understanding.documents.records import MOST_OFFERED, Reference, VisibleDocument
from core.graph.understanding.documents.resolver import DocumentResolver, resolve_typed
from core.models.meter import Usage
from core.models.structured import Written
from core.prompts.templates import Prompts

LIBRARY = (
    VisibleDocument("travel24", "Travel and expense policy 2024", "travel-and-expense-policy-2024.md"),
    VisibleDocument("travel25", "Travel and expense policy 2025", "travel-and-expense-policy-2025.docx"),
    VisibleDocument("pelagit", "Pelagit metering contract", "pelagit-metering-contract.pdf"),
    VisibleDocument("memo", "Meter storage memo", "memo_07.docx"),
    VisibleDocument("spend", "Vendor spend", "vendor-spend-2024-2025.xlsx"),
    VisibleDocument("meridian", "Lease agreement - Meridian Water Authority", "lease_meridian.pdf"),
    VisibleDocument("harbour", "Lease agreement - Harbour Trust", "lease_harbour.pdf"),
    VisibleDocument("he_travel", "מדיניות נסיעות", "נסיעות.docx", "he"),
    VisibleDocument("he_lease", "הסכם שכירות - קריית הנמל", "שכירות.docx", "he"),
)
SETS = {"Leases": ("meridian", "harbour", "gone")}


class Scripted:
    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def write(self, messages: Sequence[BaseMessage]) -> Written:
        self.asked.append("\n".join(str(each.content) for each in messages))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Written(answer, Usage(10, 5))


def reference(text: str, action: Action = "inquire", **more: object) -> Reference:
    given = {"documents": LIBRARY, "sets": SETS, **more}
    return Reference(text, action, **given)  # type: ignore[arg-type]


async def by_rules(text: str, action: Action = "inquire", **more: object):  # type: ignore[no-untyped-def]
    return (await DocumentResolver(Prompts()).resolve(reference(text, action, **more))).resolution


@pytest.mark.parametrize(
    ("text", "action", "ids", "how"),
    [
        ('@"Vendor spend"', "summarize", ["spend"], "explicit"),
        ("summarize @travel-and-expense-policy-2024.md.", "summarize", ["travel24"], "explicit"),
        ("@[whatever](memo) please", "summarize", ["memo"], "explicit"),
        ("what does @Vendor spend say about Acme", "inquire", ["spend"], "explicit"),
        ('compare @"Leases"', "compare", ["meridian", "harbour"], "explicit"),
        ("סכם את @מדיניות_נסיעות", "summarize", ["he_travel"], "explicit"),
        ('@"Vender spend"', "summarize", ["spend"], "fuzzy"),
        ("summarize the pelagit metering contract", "summarize", ["pelagit"], "fuzzy"),
        ("summarize the Pelagit contract", "summarize", ["pelagit"], "fuzzy"),
        ("Summarize the MWA lease", "summarize", ["meridian"], "fuzzy"),
        ("compare the Meridian and Harbour leases", "compare", ["meridian", "harbour"], "fuzzy"),
        ("compare the 2024 and 2025 travel policies", "compare", ["travel24", "travel25"], "fuzzy"),
        ("סכם את הסכם השכירות של קריית הנמל", "summarize", ["he_lease"], "fuzzy"),
        ("תסכם את מדיניות הנסיעות", "summarize", ["he_travel"], "fuzzy"),
        ("When can Pelagit end the contract?", "inquire", ["pelagit"], "fuzzy"),
        ("how much did we pay Pelagit?", "inquire", [], ""),
        ("what is the hotel limit?", "inquire", [], ""),
        ("check against the storage memo: we keep meters outside all winter", "audit", ["memo"], "fuzzy"),
    ],
)
async def test_without_a_model(text: str, action: Action, ids: list[str], how: str) -> None:
    found = await by_rules(text, action)
    assert sorted(found.document_ids) == sorted(ids)
    assert {each.how for each in found.resolved} == ({how} if ids else set())
    assert not found.ambiguous
    assert not found.unmatched


@pytest.mark.parametrize(
    ("text", "action", "candidates"),
    [
        ("summarize the lease", "summarize", {"meridian", "harbour"}),
        ("summarize the travel policy", "summarize", {"travel24", "travel25"}),
        ("audit my draft against the travel and expense policy", "audit", {"travel24", "travel25"}),
    ],
)
async def test_several_match(text: str, action: Action, candidates: set[str]) -> None:
    found = await by_rules(text, action)
    assert not found.resolved
    assert {each.id for each in found.ambiguous[0].candidates} == candidates


async def test_a_code_in_a_name_means_its_document() -> None:
    trials = (
        VisibleDocument("a", "Treatment of mouth sores", "NCT06150378_Prot_000.pdf"),
        VisibleDocument("b", "Rest after tendon tears", "NCT06149832_Prot_000.pdf"),
    )
    found = await by_rules("Who pays for the trial in NCT06149832?", documents=trials)
    assert found.document_ids == ["b"]
    assert not (await by_rules("Who pays for NCT06149831?", documents=trials)).document_ids


async def test_what_only_shares_words_is_not_of_the_kind_that_is_named() -> None:
    claims = VisibleDocument("claims", "Vendor spend and travel claims 2024-2025", "claims.xlsx")
    asked = {"documents": (*LIBRARY, claims)}
    found = await by_rules("Compare the 2024 and 2025 travel policies", "compare", **asked)
    assert sorted(found.document_ids) == ["travel24", "travel25"]
    found = await by_rules("Compare the Pelagit contract with the travel claims", "compare", **asked)
    assert sorted(found.document_ids) == ["claims", "pelagit"]


async def test_a_set_is_named_and_forgets_what_is_gone() -> None:
    found = await by_rules('@"leases"', "compare")
    assert found.sets == ("Leases",)
    assert found.document_ids == ["meridian", "harbour"]


async def test_an_unknown_mention_is_unmatched() -> None:
    found = await by_rules('summarize @"Nothing like it"', "summarize")
    assert found.unmatched == ("Nothing like it",)
    assert (await by_rules("@[x](other_user_doc)", "summarize")).unmatched == ("x",)


async def test_two_documents_of_one_title_are_ambiguous() -> None:
    twins = (VisibleDocument("a", "Budget", "budget_a.xlsx"), VisibleDocument("b", "Budget", "budget_b.xlsx"))
    found = await by_rules('@"Budget"', "summarize", documents=twins)
    assert {each.id for each in found.ambiguous[0].candidates} == {"a", "b"}
    assert (await by_rules("@budget_b.xlsx", "summarize", documents=twins)).document_ids == ["b"]


SPOKEN = {"Vendor spend": "spend", "Pelagit metering contract": "pelagit", "Lease agreement - Harbour Trust": "harbour"}


@pytest.mark.parametrize(
    ("text", "action", "recent", "ids"),
    [
        ("summarize it", "summarize", (), ["harbour"]),
        ("Summarize the second one", "summarize", ("spend", "memo"), ["memo"]),
        ("summarize the first document", "summarize", ("spend", "memo"), ["spend"]),
        ("compare them", "compare", ("spend", "memo"), ["spend", "memo"]),
        ("compare it with the meter storage memo", "compare", (), ["harbour", "memo"]),
        ("what does that contract say about fines?", "inquire", (), ["pelagit"]),
        ("summarize the lease", "summarize", (), ["harbour"]),
        ("סכם אותו", "summarize", (), ["harbour"]),
        ("תסכם את השני", "summarize", ("spend", "memo"), ["memo"]),
        ("השווה ביניהם", "compare", ("spend", "memo"), ["spend", "memo"]),
        ("מה כתוב בחוזה הזה על קנסות?", "inquire", ("pelagit",), ["pelagit"]),
        ("is it allowed to fly business?", "inquire", (), []),
        ("summarize the tenth one", "summarize", ("spend", "memo"), []),
        ("summarize it", "summarize", ("deleted", "memo"), ["memo"]),
    ],
)
async def test_what_was_spoken_of(text: str, action: Action, recent: tuple[str, ...], ids: list[str]) -> None:
    found = await by_rules(text, action, registry=SPOKEN, recent=recent)
    assert sorted(found.document_ids) == sorted(ids)
    assert all(each.how == "inferred" for each in found.resolved if each.document_id in (*recent, *SPOKEN.values()))


async def test_it_after_several_documents_asks() -> None:
    found = await by_rules("summarize it", "summarize", recent=("spend", "memo"))
    assert {each.id for each in found.ambiguous[0].candidates} == {"spend", "memo"}


async def test_pure_mentions_cost_nothing() -> None:
    model = Scripted()
    found = await DocumentResolver(Prompts(), model).resolve(
        reference('@"Vendor spend" @"Meter storage memo"', "compare", registry=SPOKEN)
    )
    assert found.resolution.document_ids == ["spend", "memo"]
    assert model.asked == []


PAST = (Message(role="user", text="what about fines?"), Message(role="assistant", text="Clause 7."))


async def test_a_model_chooses_among_the_documents_spoken_of() -> None:
    model = Scripted('{"documents": [2], "names": [], "confidence": "high"}')
    asked = reference("and the other side?", registry=SPOKEN, past=PAST)
    found = await DocumentResolver(Prompts(), model).resolve(asked)
    assert found.resolution.document_ids == ["pelagit"]
    assert found.resolution.resolved[0].how == "inferred"
    assert "Clause 7." in model.asked[0]


async def test_a_title_in_the_message_spares_the_history() -> None:
    model = Scripted('{"documents": [3]}')
    asked = reference("what does Vendor spend say, against that one?", registry=SPOKEN, past=PAST)
    assert (await DocumentResolver(Prompts(), model).resolve(asked)).resolution.document_ids == ["spend"]
    assert "Clause 7." not in model.asked[0]


@pytest.mark.parametrize(
    "text",
    ["What is the limit for a hotel night in Israel?", "מה התקרה ללינה בבית מלון?", "what does Vendor spend say?"],
)
async def test_what_rules_are_sure_of_costs_nothing(text: str) -> None:
    model = Scripted()
    await DocumentResolver(Prompts(), model).resolve(reference(text, registry=SPOKEN, past=PAST))
    assert model.asked == []


@pytest.mark.parametrize("text", ["and the other side?", "what about its penalties?", "ומה לגבי זה?"])
async def test_what_leans_on_what_was_said_is_asked_of_a_model(text: str) -> None:
    model = Scripted('{"documents": [2], "names": [], "confidence": "high"}')
    found = await DocumentResolver(Prompts(), model).resolve(reference(text, registry=SPOKEN, past=PAST))
    assert len(model.asked) == 1
    assert found.resolution.document_ids == ["pelagit"]


async def test_names_that_a_model_does_not_know_are_matched_by_likeness() -> None:
    model = Scripted('{"documents": [], "names": ["meter storage memo", "Zebra plan"]}')
    asked = reference("put those two together", "compare", registry=SPOKEN)
    found = (await DocumentResolver(Prompts(), model).resolve(asked)).resolution
    assert found.document_ids == ["memo"]
    assert found.unmatched == ("Zebra plan",)


async def test_a_model_that_is_not_sure_leaves_the_choice() -> None:
    model = Scripted('{"documents": [1, 2, 99], "confidence": "medium"}')
    found = (await DocumentResolver(Prompts(), model).resolve(reference("that one", registry=SPOKEN))).resolution
    assert {each.id for each in found.ambiguous[0].candidates} == {"harbour", "pelagit"}


@pytest.mark.parametrize("answers", [("no", "no"), (fail("server", "errors.server"),)])
async def test_a_useless_model_gives_way_to_rules(answers: tuple[str | Exception, ...]) -> None:
    asked = reference("summarize it", "summarize", registry=SPOKEN)
    found = (await DocumentResolver(Prompts(), Scripted(*answers)).resolve(asked)).resolution
    assert found.document_ids == ["harbour"]


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("vendor spend", ["spend"]),
        ('@"Vendor spend"', ["spend"]),
        ("the harbour one", ["harbour"]),
        ("storage memo", ["memo"]),
        ("memo_07", ["memo"]),
        ("מדיניות נסיעות", ["he_travel"]),
    ],
)
def test_what_is_typed_to_name_a_document(name: str, ids: list[str]) -> None:
    assert resolve_typed(name, reference("")).document_ids == ids


def test_what_is_typed_and_fits_none() -> None:
    assert resolve_typed("zebra", reference("")).unmatched == ("zebra",)


async def test_two_hundred_like_titles_are_asked_about_quickly_and_briefly() -> None:
    many = tuple(
        VisibleDocument(f"d{n}", f"Travel policy of branch number {n:03}", f"travel_policy_branch_{n:03}.pdf")
        for n in range(200)
    )
    began = time.perf_counter()
    found = await by_rules("summarize the travel policy of our branch", "summarize", documents=many)
    assert time.perf_counter() - began < 1.0
    assert len(found.ambiguous[0].candidates) == MOST_OFFERED
    assert found.ambiguous[0].total == 200
    assert (await by_rules("summarize the travel policy of branch 117", "summarize", documents=many)).document_ids == [
        "d117"
    ]


POLICIES = tuple(
    VisibleDocument(f"{language}{year}", f"{title} {year}", f"{language}-{year}.md", language)
    for year in (2023, 2024, 2025)
    for language, title in (("en", "Remote work policy"), ("he", "נוהל עבודה מרחוק"))
)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Compare the three remote work policies", "en"),
        ("compare all three remote work policies: what changed?", "en"),
        ("Compare our remote work policies", "en"),
        ("השווה בין שלושת נוהלי העבודה מרחוק", "he"),
        ("השוו את נוהלי העבודה מרחוק", "he"),
    ],
)
async def test_a_name_that_alone_is_compared_means_all_that_share_it(text: str, language: str) -> None:
    found = await by_rules(text, "compare", documents=POLICIES, sets={})
    assert sorted(found.document_ids) == [f"{language}{year}" for year in (2023, 2024, 2025)]
    assert not found.ambiguous


@pytest.mark.parametrize(
    "text",
    [
        "Compare the two remote work policies",
        "Compare the remote work policy with what we promised",
        "השווה בין שני נוהלי העבודה מרחוק",
    ],
)
async def test_which_are_compared_is_asked_where_fewer_or_something_else_are_meant(text: str) -> None:
    found = await by_rules(text, "compare", documents=POLICIES, sets={})
    assert not found.resolved
    assert [each.total for each in found.ambiguous] == [3]


@pytest.mark.parametrize("text", ["", "@", "¿Quién?", "compare", '@""', "the"])
async def test_anything_can_be_resolved_to_nothing(text: str) -> None:
    for action in ("inquire", "compare"):
        assert (await by_rules(text, action)).document_ids == []
    assert (await by_rules(text, "inquire", documents=())).document_ids == []


async def test_documents_of_the_kind_that_is_said_are_meant_and_not_what_shares_their_years(prompts: Prompts) -> None:
    library = (
        VisibleDocument("rules30", "Parking policy 2030", "parking-policy-2030.md"),
        VisibleDocument("rules31", "Parking policy 2031", "parking-policy-2031.md"),
        VisibleDocument("costs", "Garage spend and parking costs 2030-2031", "costs.xlsx"),
        VisibleDocument("tower", "Tower contract", "tower.pdf"),
    )
    resolver = DocumentResolver(prompts)
    both = await resolver.resolve(Reference("Compare the 2030 and 2031 parking policies", "compare", library))
    assert {each.document_id for each in both.resolution.resolved} == {"rules30", "rules31"}
    three = await resolver.resolve(
        Reference("Compare the parking policies of 2030 and 2031 with the garage spend", "compare", library)
    )
    assert "costs" in {each.document_id for each in three.resolution.resolved}


async def test_a_filename_of_another_year_is_not_meant() -> None:
    reports = [
        VisibleDocument(f"r{year}", f"Norvik Ferries plc · Annual report · FY{year}", f"NORVIK_{year}_10K.pdf")
        for year in (2021, 2022)
    ]
    for text in ("Compare the Norvik 2021 and 2022 annual reports", "Compare Norvik's 2021 and 2022 annual reports"):
        found = await by_rules(text, "compare", documents=reports)
        assert [each.document_id for each in found.resolved] == ["r2021", "r2022"]
        assert not found.ambiguous


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Summarize the Travel Policy", "Travel Policy"),
        ("summarize, of the lease, page one", "lease"),
    ],
)
async def test_a_doubt_names_words_as_the_person_wrote_them(text: str, name: str) -> None:
    found = await by_rules(text, "summarize")
    assert found.ambiguous[0].name == name


async def test_a_statement_to_check_is_no_document_of_the_conversation() -> None:
    text = "Check this statement: salaries fell by ten per cent."
    found = await by_rules(text, "audit", recent=("travel24", "travel25"))
    assert not found.ambiguous
    assert not {each.document_id for each in found.resolved} & {"travel24", "travel25"}
    found = await by_rules("Check this policy again.", "audit", recent=("travel24",))
    assert [each.document_id for each in found.resolved] == ["travel24"]


async def test_a_model_reads_the_documents_those_of_the_conversation_first() -> None:
    model = Scripted('{"documents": [2], "names": [], "confidence": "high"}')
    asked = reference("How long does it run, and the Harbour one?", registry={"Vendor spend": "spend"}, past=())
    found = await DocumentResolver(Prompts(), model).resolve(asked)
    assert "1. Vendor spend · vendor-spend-2024-2025.xlsx\n2. Lease agreement - Harbour Trust" in model.asked[0]
    assert "Document 1 was discussed" in model.asked[0]
    assert found.resolution.document_ids == ["harbour"]


async def test_a_document_that_rules_miss_is_looked_for_by_a_model_in_any_language() -> None:
    text = "מה כתוב בפרוטוקולים?"
    protocol = VisibleDocument("trial", "Study protocol", "trial.pdf", document_kind="plan")
    asked = reference(text, documents=(*LIBRARY, protocol))
    assert (await DocumentResolver(Prompts()).resolve(asked)).resolution.absent
    chosen = Scripted('{"documents": [10], "names": [], "confidence": "high"}')
    found = (await DocumentResolver(Prompts(), chosen).resolve(asked)).resolution
    assert (found.document_ids, found.absent) == (["trial"], ())
    none = Scripted('{"documents": [], "names": [], "confidence": "high"}')
    assert (await DocumentResolver(Prompts(), none).resolve(asked)).resolution.absent
