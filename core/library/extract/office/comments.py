"""Converts reviewers' comments to separate texts: the author, the quoted words, the comment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.language.detection import detect
from core.library.extract.text import normalise_line
from core.messages import message

_LONGEST_QUOTE = 240
_LONGEST_NAME = 80


@dataclass
class Comment:
    """A comment with its replies; ``day`` is an ISO date or empty, ``quoted`` the text it refers to."""

    author: str
    text: str
    day: str = ""
    quoted: str = ""
    replies: list[Comment] = field(default_factory=list)


def comment_text(comment: Comment) -> str:
    """A comment and its replies, one per line, in the language they are written in."""
    lines = [_line(comment)]
    lines += [_line(reply, is_reply=True) for reply in comment.replies if reply.text]
    return "\n".join(lines)


def _line(comment: Comment, is_reply: bool = False) -> str:
    quoted = normalise_line(comment.quoted)
    if len(quoted) > _LONGEST_QUOTE:
        quoted = quoted[:_LONGEST_QUOTE].rsplit(" ", 1)[0] + " …"
    language = detect(f"{quoted} {comment.text}")
    name = normalise_line(comment.author)[:_LONGEST_NAME]
    key = ("reply" if is_reply else "comment") + ("" if name else "_unsigned")
    parts = [message(f"library.inserted.{key}", author=name).to(language)]
    parts += [f"({comment.day})"] if comment.day else []
    if quoted and not is_reply:
        parts.append(message("library.inserted.on_words", text=quoted).to(language))
    return " ".join(parts) + f": {normalise_line(comment.text)}"


def threads(comments: Sequence[tuple[str, Comment]], parents: dict[str, str]) -> dict[str, Comment]:
    """Comments by their keys, with each reply inside the comment that starts its thread.

    Args:
        parents: maps a reply's key to the key of the comment it answers.
    """
    found = dict(comments)
    roots: dict[str, Comment] = {}
    for key, comment in found.items():
        top, seen = key, {key}
        while (above := parents.get(top)) in found and above not in seen:
            top = above
            seen.add(top)
        if top == key:
            roots[key] = comment
        else:
            found[top].replies.append(comment)
    return roots
