"""The 6 domains and 30 sub-scenarios of the benchmark: section 3 and Tables 8-13 of the paper.

Titles are the paper's; objectives and challenges say in short what its tables say. Order and numbers are
those of the official task files (``task-D-C-V-A``: domain D, sub-scenario C).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Orientation(StrEnum):
    """What makes a domain different from the others (section 3)."""

    EMOTION_REPAIR = "emotion_repair"
    DEFENCE_BREAKTHROUGH = "defence_breakthrough"
    BIDIRECTIONAL_EVALUATION = "bidirectional_evaluation"
    COMPLIANCE_CONSTRAINT = "compliance_constraint"
    NEUTRALITY_MAINTENANCE = "neutrality_maintenance"
    WARMTH_DELIVERY = "warmth_delivery"


class Domain(StrEnum):
    """A business domain of section 3, in its order."""

    CUSTOMER_SERVICE = "customer_service"
    SALES = "sales"
    HUMAN_RESOURCES = "human_resources"
    FINANCE = "finance"
    RESEARCH = "research"
    PROACTIVE_CARE = "proactive_care"

    @property
    def number(self) -> int:
        """1-6."""
        return list(Domain).index(self) + 1

    @property
    def prefix(self) -> str:
        """First part of the ids of its scenarios."""
        return _PREFIXES[self]

    @property
    def label(self) -> str:
        return _TITLES[self]

    @property
    def orientation(self) -> Orientation:
        return list(Orientation)[self.number - 1]

    @classmethod
    def from_number(cls, number: int) -> Domain:
        """The domain with this number.

        Raises:
            ValueError: The number is not 1-6.
        """
        if not 1 <= number <= len(cls):
            raise ValueError(f"there is no domain {number}; they are numbered 1-{len(cls)}")
        return list(cls)[number - 1]


@dataclass(frozen=True, kw_only=True)
class SubScenario:
    """One row of Tables 8-13."""

    domain: Domain
    slug: str
    title: str
    core_objective: str
    main_challenge: str

    @property
    def id(self) -> str:
        """The English scenario's id; the Chinese one's has ``-zh`` behind it."""
        return f"{self.domain.prefix}-{self.slug.replace('_', '-')}"

    @property
    def number(self) -> int:
        """1-5 within its domain."""
        return [row.slug for row in CATALOGUE if row.domain is self.domain].index(self.slug) + 1


def find(domain: Domain, slug: str) -> SubScenario | None:
    """The sub-scenario with this slug, or None."""
    return next((row for row in CATALOGUE if row.domain is domain and row.slug == slug), None)


_PREFIXES = {
    Domain.CUSTOMER_SERVICE: "cs",
    Domain.SALES: "sales",
    Domain.HUMAN_RESOURCES: "hr",
    Domain.FINANCE: "fin",
    Domain.RESEARCH: "research",
    Domain.PROACTIVE_CARE: "care",
}

_TITLES = {
    Domain.CUSTOMER_SERVICE: "Customer service and support",
    Domain.SALES: "Sales and marketing",
    Domain.HUMAN_RESOURCES: "Human resource management",
    Domain.FINANCE: "Finance and risk control",
    Domain.RESEARCH: "Research and information collection",
    Domain.PROACTIVE_CARE: "Proactive care and notifications",
}


def _rows(domain: Domain, *rows: tuple[str, str, str, str]) -> tuple[SubScenario, ...]:
    return tuple(
        SubScenario(domain=domain, slug=slug, title=title, core_objective=objective, main_challenge=challenge)
        for slug, title, objective, challenge in rows
    )


CATALOGUE: tuple[SubScenario, ...] = (
    *_rows(
        Domain.CUSTOMER_SERVICE,
        (
            "bank_complaint",
            "Bank customer complaint handling",
            "Take up an unexplained deduction, clarify its reason, offer a solution, restore trust.",
            "Dissatisfied with the bank's speed, distrustful; trust must be won in minutes, promises kept.",
        ),
        (
            "ecommerce_return",
            "E-commerce platform return/exchange processing",
            "Help the customer complete a return or exchange and raise satisfaction.",
            "Doubts about a new kind of service; tight time adds pressure.",
        ),
        (
            "tech_support_sales",
            "Enterprise technical support sales",
            "Promote system optimisation to an enterprise, solve its technical problems, win an upgrade.",
            "Little trust in providers, high budget pressure, fear of the migration's risks.",
        ),
        (
            "appliance_repair",
            "Home appliance repair service scheduling",
            "Confirm the reported fault and arrange a repair visit at home.",
            "Sensitive to cost, afraid of being overcharged; in a quiet office: needs a low-pressure tone.",
        ),
        (
            "telecom_satisfaction",
            "Telecom customer satisfaction follow-up survey",
            "Collect feedback on recent network problems, rate satisfaction, gather suggestions.",
            "Dissatisfied with the network's stability; wants the problem solved quickly.",
        ),
    ),
    *_rows(
        Domain.SALES,
        (
            "fitness_membership",
            "Fitness membership sales",
            "Promote a fitness membership and win a visit to try the gym.",
            "Sensitive to price; too busy, and afraid of not keeping it up.",
        ),
        (
            "cloud_service",
            "Cloud service sales",
            "Recommend cloud services to a small or medium manufacturer to make it more digital.",
            "Little trust in IT products; worries about complexity and data security.",
        ),
        (
            "procurement_system",
            "B2B enterprise procurement system promotion",
            "Activate a newly registered enterprise user and guide them through the core functions.",
            "Doubts the new platform's reliability; fears that complex handling slows procurement.",
        ),
        (
            "education_renewal",
            "Online education renewal services",
            "Win the renewal of an existing customer and raise retention.",
            "Limited budget, and no time to go on learning after paying.",
        ),
        (
            "software_product",
            "Software product sales",
            "Introduce an intelligent office system to a small or medium maker; win a trial or intent.",
            "Sceptical and defensive; wants figures that prove the value before trusting.",
        ),
    ),
    *_rows(
        Domain.HUMAN_RESOURCES,
        (
            "recruitment_outreach",
            "Corporate recruitment outreach",
            "Contact a job seeker, introduce position and company, lead on to the interview process.",
            "Sits in an office and cannot talk freely; interest has to be won in little time.",
        ),
        (
            "background_check",
            "HR background check",
            "Verify work experience, responsibilities, performance and the reason for leaving.",
            "Concerns about legality; sensitive items such as salary; little time or will to cooperate.",
        ),
        (
            "interview_scheduling",
            "Interview scheduling for recruitment",
            "Agree on time and format of an interview with a shortlisted candidate.",
            "Employed, hard to move appointments; unsure how the interview is arranged.",
        ),
        (
            "onboarding",
            "HR onboarding process assistance",
            "Help a new employee complete onboarding and formalities such as benefits.",
            "Nervous about the new surroundings; needs times and procedures explained in detail.",
        ),
        (
            "internal_training",
            "Internal employee training promotion",
            "Encourage an employee to join an internal technical course.",
            "Doubts the quality of the training; busy schedule.",
        ),
    ),
    *_rows(
        Domain.FINANCE,
        (
            "credit_card_collection",
            "Bank credit card collection",
            "Help an overdue customer to a repayment plan and recover the debt.",
            "Income has fallen; collection and what the customer can afford must be balanced.",
        ),
        (
            "loan_verification",
            "Bank loan business follow-up verification",
            "Verify what a customer stated in a credit loan application and move approval on.",
            "Needs the money urgently, unstable income; worried about time, expects speed.",
        ),
        (
            "account_security",
            "Bank account security risk control services",
            "Warn of an abnormal transaction and guide the customer to protect the account.",
            "Sceptical of identity checks by telephone; at work, or doubting the procedure.",
        ),
        (
            "loan_collection",
            "Bank loan collection",
            "Agree with an overdue customer on instalments that can be kept, and limit the bank's loss.",
            "Income has dropped sharply; doubts the terms and fears for the credit score.",
        ),
        (
            "wealth_renewal",
            "Financial management product renewal services",
            "Win the renewal or upgrade of a financial product that matures.",
            "Wants liquidity rather than long-term yield; limited risk tolerance and means.",
        ),
    ),
    *_rows(
        Domain.RESEARCH,
        (
            "public_health",
            "Public health research",
            "Collect residents' health habits, awareness of prevention and need for care.",
            "Doubts who is calling; little time; limited medical knowledge.",
        ),
        (
            "bank_information",
            "Bank customer information maintenance services",
            "Verify and update a customer's basic information.",
            "Doubts that the enquiry is genuine; afraid of fraud.",
        ),
        (
            "smart_home_experience",
            "Smart home product user experience research",
            "Gather experience with a smart home product and suggestions to improve it.",
            "Commuting or otherwise short of time; all has to be collected quickly.",
        ),
        (
            "smart_home_market",
            "Smart home market research",
            "Collect preferences, usage and purchase intentions for smart home products.",
            "Doubts that the survey is genuine; little time, trust must come quickly.",
        ),
        (
            "brand_awareness",
            "Brand awareness market research",
            "Gather brand recognition, experience, preferences and suggestions.",
            "Defensive with unknown callers; wants proof and a quick end.",
        ),
    ),
    *_rows(
        Domain.PROACTIVE_CARE,
        (
            "surgery_confirmation",
            "Hospital surgery appointment confirmation",
            "Confirm the time of an operation and explain the preparation.",
            "May have other appointments; worried about the operation's safety.",
        ),
        (
            "logistics_service",
            "Enterprise logistics services and value-added service sales",
            "Notify of an important delivery and offer a VIP service to strengthen loyalty.",
            "Wary of promotion, defensive, watches cost.",
        ),
        (
            "membership_care",
            "Membership service customer care",
            "Remind of an expiry date, encourage renewal or redeeming points.",
            "Knows little of benefits and points; no time for complicated steps.",
        ),
        (
            "system_maintenance",
            "Banking system maintenance notification",
            "Announce maintenance in advance, so that interruptions and alternatives are known.",
            "Bad experience with earlier maintenance; wants details and assurance that data is safe.",
        ),
        (
            "birthday_care",
            "Lifestyle service platform customer care",
            "Bring birthday wishes or another personal message to keep up the relationship.",
            "Busy; suspects a sale behind an unsolicited call.",
        ),
    ),
)
"""All 30 sub-scenarios, five per domain, in the order of the paper's tables."""
