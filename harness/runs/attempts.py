"""Which conversations of a run are complete, which are held again, and what their records say of it."""

from __future__ import annotations

import dataclasses

from harness._files.atomic_file import write_model
from harness._files.json_file import BadJson, read_json, read_model
from harness.calls.conversation import Held
from harness.calls.guard import GUARD_FILE, GuardFile, guard_chat, read_guard
from harness.errors import NotWritten, UserError
from harness.plans.unit import Unit
from harness.records.call import CallRecord, CallStatus, EarlierAttempt
from harness.runs.store import RunStore

ATTEMPT = "attempt-"
"""Folders of earlier attempts of a call by voice, in its own: ``attempt-1`` is the first."""


class Attempts:
    """The attempts at the conversations of one run.

    Args:
        again: Failed ones are held once more.
        rerun_guilty: Those in text in which our own caller was at fault are held again so often at most.
    """

    def __init__(self, store: RunStore, *, again: bool, rerun_guilty: int) -> None:
        self._store = store
        self._again = again
        self._rerun_guilty = rerun_guilty
        self._earlier: dict[str, tuple[EarlierAttempt, ...]] = {}

    def complete(self, unit: Unit) -> CallRecord | None:
        """What an earlier start has held of this very plan; None where it is to be held (again).

        Raises:
            UserError: There is a whole record that cannot be read here: to hold it again would replace it.
        """
        known = self._store.read_record(unit.id)
        if known is None:
            self._refuse_to_replace(unit.id)
            self._earlier[unit.id] = set_aside(self._store, unit.id)
            return None
        if known.plan.digest != unit.plan.digest:
            return None
        if known.status is CallStatus.INTERRUPTED:
            self._earlier[unit.id] = known.earlier_attempts
            return None
        if (self._again and not known.status.took_place) or self._stays_guilty(known):
            self._note(known)
            return None
        return known

    def _refuse_to_replace(self, call_id: str) -> None:
        """A torn record is no loss; a whole one of another version is a finished call."""
        path = self._store.record_file(call_id)
        try:
            content = read_json(path, within=self._store.folder)
        except (OSError, BadJson):
            return
        if not (isinstance(content, dict) and {"plan", "status"} <= content.keys()):
            return
        try:
            read_model(path, CallRecord, within=self._store.folder)
        except UserError as error:
            raise UserError(
                f"{error}; it is whole, so perhaps of a newer version, and would be replaced",
                hint="go on with the version that began this run, or move that call's folder away",
            ) from error

    def numbered(self, held: Held) -> Held:
        """The conversation with its earlier attempts."""
        return with_earlier(held, self.earlier(held.record.plan.call_id))

    def earlier(self, call_id: str) -> tuple[EarlierAttempt, ...]:
        """The attempts at a call before the next one."""
        return self._earlier.get(call_id, ())

    def judge(self, record: CallRecord) -> None:
        """Writes the guard's verdict beside a conversation in text: its words are known at once."""
        if record.plan.medium == "text" and record.status is not CallStatus.INTERRUPTED:
            folder = self._store.call_folder(record.plan.call_id)
            try:
                write_model(folder / GUARD_FILE, guard_chat(record))
            except OSError as error:
                raise NotWritten.of(folder / GUARD_FILE, error) from error

    def is_to_be_held_again(self, record: CallRecord) -> bool:
        """Whether our own caller was at fault, and has not been so often enough."""
        if record.status is CallStatus.INTERRUPTED or not self._stays_guilty(record):
            return False
        self._note(record)
        return True

    def _stays_guilty(self, record: CallRecord) -> bool:
        if record.plan.medium != "text":
            return False
        guard = read_guard(self._store.call_folder(record.plan.call_id))
        before = sum(bool(attempt.guilty) for attempt in record.earlier_attempts)
        return guard is not None and guard.verdict == "guilty" and before < self._rerun_guilty

    def _note(self, record: CallRecord) -> None:
        guard = read_guard(self._store.call_folder(record.plan.call_id))
        self._earlier[record.plan.call_id] = (*record.earlier_attempts, attempt_of(record, guard))


def with_earlier(held: Held, earlier: tuple[EarlierAttempt, ...]) -> Held:
    """The conversation with the attempts before it."""
    return dataclasses.replace(held, record=held.record.model_copy(update={"earlier_attempts": earlier}))


def attempt_of(record: CallRecord, guard: GuardFile | None) -> EarlierAttempt:
    """What is kept of an attempt in the record of the next one."""
    guilty = guard.findings if guard is not None and guard.verdict == "guilty" else ()
    return EarlierAttempt(
        status=record.status,
        status_detail=record.status_detail,
        started_at=record.started_at,
        guilty=tuple(f"{finding.kind}: {finding.detail}" for finding in guilty if finding.certain),
    )


def set_aside(store: RunStore, call_id: str) -> tuple[EarlierAttempt, ...]:
    """The attempts at a call by voice that lie beside it, oldest first; those that cannot be read are left
    out."""
    name = store.record_file(call_id).name
    folders = sorted(
        store.call_folder(call_id).glob(f"{ATTEMPT}*"), key=lambda folder: (len(folder.name), folder.name)
    )
    found = []
    for folder in folders:
        try:
            found.append(attempt_of(read_model(folder / name, CallRecord), read_guard(folder)))
        except UserError:
            continue
    return tuple(found)
