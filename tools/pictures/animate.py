"""Makes the README's pictures out of what `shoot.mjs` took: `python3 animate.py FROM TO`."""

import sys
from pathlib import Path

from PIL import Image

FRAME_MS = 100
"""As `shoot.mjs` has it: the animation plays as fast as the page."""


def main(source: Path, target: Path) -> None:
    for name in ("day", "night"):
        picture = Image.open(source / f"{name}.png").convert("RGB")
        picture.save(target / f"{name}.webp", quality=88, method=6)
    frames = [Image.open(path).convert("RGB") for path in sorted(source.glob("frame-*.png"))]
    frames[0].save(
        target / "supper.webp",
        save_all=True,
        append_images=frames[1:],
        duration=FRAME_MS,
        loop=0,
        quality=75,
        method=6,
        minimize_size=True,
    )
    for path in sorted(target.glob("*.webp")):
        print(path.name, path.stat().st_size)


main(Path(sys.argv[1]), Path(sys.argv[2]))
