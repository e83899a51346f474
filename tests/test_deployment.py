"""Tests the deployment files: an image, a compose file, systemd units. No daemon is needed."""

from __future__ import annotations

import fnmatch
import json
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest
import yaml
from compose_spec import PyCompose

from command.main import _parser
from core.setting_names import field_names
from core.settings import Settings

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
UNITS = ("palimpsest.service", "palimpsest-worker@.service")
BY_OTHERS = {"MONGODB_URI", "QDRANT_URL", "QDRANT_API_KEY", "EMBEDDING_URL", "OPENAI_BASE_URL", "OPENAI_API_KEY"}
NAMES = {*field_names(Settings, "PALIMPSEST_"), *BY_OTHERS}
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a program of Linux")


def instructions() -> list[tuple[str, str]]:
    """Returns each Dockerfile instruction with its arguments; continued lines are joined."""
    lines = [line for line in DOCKERFILE.splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    found = [re.match(r"([A-Z]+)\s+(.*)", line) for line in joined.splitlines() if line]
    return [(each[1], each[2]) for each in found if each]


def of(name: str) -> list[str]:
    return [rest for instruction, rest in instructions() if instruction == name]


# -- the image -------------------------------------------------------------------------------


@linux
def test_a_linter_has_nothing_to_say_of_the_image() -> None:
    linter = Path(sys.executable).with_name("hadolint")
    found = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (0, "")


def test_the_base_has_an_exact_tag_and_a_digest_that_is_given_from_outside() -> None:
    assert {each.split()[0] for each in of("FROM")} == {"python:${PYTHON}${PYTHON_DIGEST}"}
    arguments = dict(each.split("=", 1) for each in of("ARG"))
    assert re.fullmatch(r"3\.11\.\d+-slim-\w+", arguments["PYTHON"])
    assert arguments["PYTHON_DIGEST"] == '""'
    assert "sha256:" not in re.sub(r"^#.*$", "", DOCKERFILE, flags=re.MULTILINE)


def test_the_image_runs_as_nobody_special_and_brings_nothing_from_elsewhere() -> None:
    after_last_stage = DOCKERFILE.rpartition("\nFROM ")[2]
    assert re.search(r"^USER 10001:10001$", after_last_stage, re.MULTILINE)
    assert of("ADD") == []
    assert not re.search(r"curl|wget|https?://(?!127\.0\.0\.1)", DOCKERFILE)
    assert "/health" in of("HEALTHCHECK")[0]
    assert of("VOLUME") == ['["/data"]']
    assert all("--require-hashes" in each for each in of("RUN") if ".lock" in each)


def test_every_requirement_has_one_version_and_hashes() -> None:
    text = (ROOT / "requirements-server.lock").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", text.strip())
    assert all(re.match(r"[\w.-]+(\[[\w,]+\])?==\S+", each) and "--hash=sha256:" in each for each in entries)
    pinned, ours = pins(text), pins((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    assert {name: pinned.get(name) for name in ours} == ours
    assert {"langgraph-checkpoint-mongodb", "pymongo", "qdrant-client", "redis"} <= pinned.keys()


def pins(lock: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)(?:\[[\w,]+\])?==(\S+)", lock, re.MULTILINE))


def sent(target: Path) -> Path:
    """Copies the files that are sent to an image build, by ``.dockerignore`` (the last matching rule decides)."""
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and line[0] != "#"]
    tracked = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    for name in {*tracked.stdout.splitlines(), ".env", ".git/config", "core/__pycache__/words.pyc"}:
        kept = True
        for rule in rules:
            pattern = rule.removeprefix("!").removeprefix("**/")
            parts = [name, *(str(each) for each in Path(name).parents), *(Path(name).parts if "**" in rule else ())]
            if any(fnmatch.fnmatchcase(part, pattern) for part in parts if part != "."):
                kept = rule.startswith("!")
        if kept:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    return target


@linux
def test_what_is_sent_to_a_build_is_enough_to_run_and_nothing_more(tmp_path: Path) -> None:
    """Runs the steps of the image build in a clean copy of the files, except installation: it uses the packages of this
    environment."""
    app = sent(tmp_path / "app")
    assert {each.name for each in app.iterdir()} == {
        "app.py", "command", "core", "pages", "viz", "personalities", "sample_docs", "pyproject.toml", "README.md",
        "requirements-server.lock",
    }  # fmt: skip
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False)
    packages = next((environment / "lib").glob("python3*")) / "site-packages"
    theirs = Path(sys.executable).parents[1] / "lib" / packages.parent.name / "site-packages"
    (packages / "those-of-here.pth").write_text(f"{theirs}\n")
    python = environment / "bin" / "python"
    subprocess.run([python, "-m", "compileall", "-q", app], check=True)
    told = subprocess.run(
        [python, "-c", f"import sys; sys.path.insert(0, {str(app)!r}); sys.argv = ['palimpsest', '--version-of'];"
         "import command.main as m, core.library.samples as s, core.personality.personalities as p;"
         "print(m.__file__, s.FOLDER.is_dir(), p.PRESETS.is_dir()); sys.exit(m.main(['--help']))"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith(f"{app}/command/main.py True True")


# -- services --------------------------------------------------------------------------------


def services() -> dict[str, Any]:
    """Returns the services of the compose file, with the required variables set as an operator would set them."""

    def fill(match: re.Match[str]) -> str:
        kind, word = match[2], match[3]
        return word if kind == "-" else f"given-{match[1]}"

    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(re.sub(r"\$\{(\w+):([-?])([^}]*)\}", fill, text))
    return found


def test_the_file_of_services_is_one() -> None:
    made = PyCompose.from_json(json.dumps(services()))
    made.validate()
    assert set(made.service_names()) == {
        "serve-1", "serve-2", "worker-1", "worker-2", "nginx", "mongodb", "qdrant", "redis", "embeddings",
    }  # fmt: skip
    spoilt = services()
    spoilt["services"]["redis"]["healthchek"] = {}
    with pytest.raises(ValueError, match="healthchek"):
        PyCompose.from_json(json.dumps(spoilt))


def test_each_process_has_a_data_directory_of_its_own_and_a_root_that_cannot_be_written() -> None:
    ours = {name: each for name, each in services()["services"].items() if name.startswith(("serve", "worker"))}
    assert sorted(each["volumes"][0] for each in ours.values()) == [f"{name}:/data" for name in sorted(ours)]
    for each in ours.values():
        assert each["read_only"] is True
        assert each["cap_drop"] == ["ALL"]
        assert set(each["environment"]) <= NAMES
    for name, each in ours.items():
        given = _parser("en").parse_args(each["command"])
        assert given.command == name.rpartition("-")[0]
    assert _parser("en").parse_args(ours["serve-1"]["command"]).no_jobs


def test_only_the_door_is_open_and_every_image_has_a_tag_and_room_for_a_digest() -> None:
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    images = re.findall(r"image: (\S+)", text)
    others = [each for each in images if not each.startswith("palimpsest:")]
    assert len(others) == 5
    assert all(re.fullmatch(r"[\w./-]+:[\w.-]*\d[\w.-]*\$\{\w+_DIGEST:-\}", each) for each in others)
    assert "latest" not in text
    assert [name for name, each in services()["services"].items() if "ports" in each] == ["nginx"]
    doors = re.findall(r"server ([\w-]+):7860", (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8"))
    assert doors == [name for name in services()["services"] if name.startswith("serve")]
    for mounted in re.findall(r'"\./([^:"]+):', text):
        assert (ROOT / mounted).is_file()


def test_what_must_be_secret_has_no_default() -> None:
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    for name in ("QDRANT_API_KEY", "PALIMPSEST_SECRET_KEY"):
        assert re.findall(rf"\$\{{{name}(:.)", text)
        assert set(re.findall(rf"\$\{{{name}(:.)", text)) == {":?"}


# -- units -----------------------------------------------------------------------------------


@linux
@pytest.mark.parametrize("unit", UNITS)
def test_systemd_finds_nothing_wrong_with_a_unit(unit: str, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("this machine has no systemd")
    text = (ROOT / "deploy" / unit).read_text(encoding="utf-8")
    program = tmp_path / ".venv" / "bin" / "palimpsest"
    program.parent.mkdir(parents=True)
    program.symlink_to(shutil.which("true") or "/bin/true")
    path = tmp_path / unit.replace("@", "@1")
    path.write_text(text.replace("/opt/palimpsest", str(tmp_path)))
    found = subprocess.run(["systemd-analyze", "verify", path], capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (0, "")
    assert "User=palimpsest" in text
    named = {each for line in re.findall(r"^Environment=(.*)$", text, re.MULTILINE) for each in line.split()}
    assert {each.split("=")[0] for each in named if each.startswith("PALIMPSEST")} <= NAMES
