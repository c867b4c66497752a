"""What a child is asked to do, on the way to it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.sandbox.job import MAX_PASSWORD, Job, QuadsTask, RenderTask, TextTask, decode_job, encode_job

numbers = st.integers(min_value=0, max_value=1 << 62)
tasks = st.one_of(
    st.builds(TextTask, numbers, numbers, st.sampled_from(("reading", "content", "structure")), st.booleans()),
    st.builds(RenderTask, numbers, st.floats(allow_nan=False), numbers, st.booleans()),
    st.builds(QuadsTask, numbers, numbers, numbers),
)
passwords = st.one_of(st.none(), st.text(st.characters(codec=None), max_size=50))


@given(st.builds(Job, tasks, passwords, numbers, numbers, numbers, numbers))
def test_a_job_arrives_as_it_was_sent(job: Job) -> None:
    assert decode_job(encode_job(job)) == job


def test_a_password_has_its_limit_and_is_not_shown() -> None:
    job = Job(password="x" * MAX_PASSWORD)
    assert len(encode_job(job)) < 5000
    assert "xxx" not in repr(job)
    with pytest.raises(ValueError, match="1024 characters"):
        Job(password="x" * (MAX_PASSWORD + 1))


def test_an_empty_password_is_one() -> None:
    assert decode_job(encode_job(Job(password=""))).password == ""
    assert decode_job(encode_job(Job(password=None))).password is None
