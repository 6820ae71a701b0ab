"""Runs the cells of docs/questions.ipynb, and compares what they show with what the notebook has.

With `--bless`, writes what they show into the notebook. Called in the repository's folder, with the package installed.
Jupyter is not needed: cells are run one after the other, as it would.
"""

import ast
import base64
import io
import json
import sys
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.image
import matplotlib.pyplot as plt
import numpy

NOTEBOOK = Path("docs/questions.ipynb")

# : The greatest mean difference, from 0 to 1, between two pictures of a cell. The drawing library has its own fonts, so
# pictures are equal on machines of the same kind; others round some edges differently.
TOLERANCE = 0.0002


def run(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """Runs a cell, and returns the value of its last line and its pictures."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, str(NOTEBOOK), "exec"), names)
    value = eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names) if last else None
    outputs: list[dict[str, Any]] = []
    for number in plt.get_fignums():
        picture = io.BytesIO()
        plt.figure(number).savefig(picture, dpi=72, metadata={"Software": None})
        data = {"image/png": base64.b64encode(picture.getvalue()).decode()}
        outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
    if not outputs and value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        outputs.append({"output_type": "execute_result", "execution_count": None, "data": data, "metadata": {}})
    plt.close("all")
    return outputs


def pixels(output: dict[str, Any]) -> Any:
    return matplotlib.image.imread(io.BytesIO(base64.b64decode(output["data"]["image/png"])))


def compare(number: int, made: list[dict[str, Any]], kept: list[dict[str, Any]]) -> None:
    """Fails if a cell shows something else than what is kept."""
    assert len(made) == len(kept), f"cell {number} shows {len(made)} things, not {len(kept)}"
    for one, other in zip(made, kept):
        if "image/png" in one["data"]:
            left, right = pixels(one), pixels(other)
            assert left.shape == right.shape, f"cell {number}: the picture has another size"
            apart = float(numpy.abs(left - right).mean())
            assert apart <= TOLERANCE, f"cell {number}: the picture is another one ({apart:.4f})"
            assert left[..., :3].std() > 0.02, f"cell {number}: the picture is empty"
        else:
            assert one["data"] == other["data"], f"cell {number} shows\n{''.join(one['data']['text/plain'])}"


def main() -> None:
    notebook = json.loads(NOTEBOOK.read_text())
    names: dict[str, Any] = {}
    pictures = 0
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] != "code":
            continue
        made = run("".join(cell["source"]), names)
        pictures += sum("image/png" in output["data"] for output in made)
        if "--bless" in sys.argv:
            cell["outputs"] = made
        else:
            compare(number, made, cell["outputs"])
    assert pictures >= 4, pictures
    if "--bless" in sys.argv:
        NOTEBOOK.write_text(json.dumps(notebook, indent=1) + "\n")
    print(f"docs/questions.ipynb: {pictures} pictures as kept")


main()
