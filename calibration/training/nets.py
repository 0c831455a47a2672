"""The small convolutional networks, as PyTorch modules; at run time onnxruntime runs their ONNX files."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

#: What the finder's four output maps mean.
FINDER_MAPS = ("cell middle on the frame", "middle of a die's top", "window", "art above the window")

#: What the maps of the finder of dice mean; all but the first hold where there is a die.
DICE_MAPS = ("middle of a die's top", "its edge", "right to the top from the foot", "down to the top")
DICE_WIDTHS = (28, 36, 28)

#: Classes of the reader's heads; a cell's logits lie one after the other.
READER_HEADS = {"filled": 2, "color": 5, "value": 6, "print": 12}


def _conv(
    inputs: int, outputs: int, *, stride: int = 1, size: int = 3, dilation: int = 1, padded: bool = True
) -> nn.Sequential:
    pad = dilation * (size - 1) // 2 if padded else 0
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, pad, dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


def _doubled(maps: Tensor) -> Tensor:
    return nn.functional.interpolate(maps, scale_factor=2.0, mode="nearest")


class Finder(nn.Module):
    """A small U-Net: (N, 3, 384, 384) BGR in [-1, 1] to (N, maps, 96, 96), see FINDER_MAPS and DICE_MAPS.

    ``widths`` are the channels at an eighth and a sixteenth of the picture and below.
    """

    def __init__(self, maps: int = len(FINDER_MAPS), widths: tuple[int, int, int] = (40, 56, 48)) -> None:
        super().__init__()
        e, s, d = widths
        self.quarter = nn.Sequential(_conv(3, 12, stride=2), _conv(12, 24, stride=2))
        self.eighth = nn.Sequential(_conv(24, e, stride=2), _conv(e, e))
        self.sixteenth = nn.Sequential(_conv(e, s, stride=2), _conv(s, s), _conv(s, s, dilation=2))
        self.deep = nn.Sequential(_conv(s, d, stride=2), _conv(d, d, dilation=2), _conv(d, s))
        self.down16 = _conv(s, e, size=1)
        self.merge8 = _conv(e, e)
        self.down8 = _conv(e, 24, size=1)
        self.merge4 = _conv(24, 24)
        self.head = nn.Conv2d(24, maps, 1)
        nn.init.constant_(self.head.bias, -2.5)

    def forward(self, image: Tensor) -> Tensor:
        """Return the maps."""
        q = self.quarter(image)
        e = self.eighth(q)
        s = self.sixteenth(e)
        s = s + _doubled(self.deep(s))
        e = self.merge8(e + _doubled(self.down16(s)))
        q = self.merge4(q + _doubled(self.down8(e)))
        return self.head(q)


class Reader(nn.Module):
    """Reads the 20 cells of a window, each beside all: (20 N, 6, 48, 48) in [-1, 1] to (20 N, 25) logits."""

    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.Sequential(
            _conv(6, 32, stride=2, size=5),
            _conv(32, 48),
            _conv(48, 64, stride=2),
            _conv(64, 64),
            _conv(64, 80, stride=2),
            _conv(80, 80),
        )
        self.squeeze = _conv(80, 20, size=1)
        self.own = nn.Sequential(nn.Linear(20 * 36, 112), nn.ReLU(inplace=True))
        self.context = nn.Sequential(nn.Linear(224, 48), nn.ReLU(inplace=True))
        self.hidden = nn.Sequential(nn.Dropout(0.1), nn.Linear(112 + 48, 96), nn.ReLU(inplace=True))
        self.head = nn.Linear(96, sum(READER_HEADS.values()))

    def features(self, crops: Tensor) -> Tensor:
        """Return what is seen in each cell, (20 N, 112)."""
        return self.own(torch.flatten(self.squeeze(self.cell(crops)), 1))

    def forward(self, crops: Tensor) -> Tensor:
        """Return the logits of all heads, cell by cell."""
        return self.told_from(self.features(crops))

    def told_from(self, own: Tensor) -> Tensor:
        """Return the logits of all heads, told from the features of each cell."""
        boards = own.reshape(-1, 20, 112)
        around = self.context(torch.cat([boards.mean(1), boards.amax(1)], 1))
        spread = around.unsqueeze(1).expand(-1, 20, -1).reshape(-1, 48)
        return self.head(self.hidden(torch.cat([own, spread], 1)))

    def divide_logits(self, temperatures: Sequence[float]) -> None:
        """Divide the logits of each head by its temperature, in place and for good."""
        divisors = torch.tensor(temperatures).repeat_interleave(torch.tensor([*READER_HEADS.values()]))
        with torch.no_grad():
            self.head.weight.div_(divisors[:, None])
            self.head.bias.div_(divisors)


class _Residual(nn.Module):
    """Two convolutions whose result is added to what they saw."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, maps: Tensor) -> Tensor:
        """Return maps of the same shape."""
        return torch.relu(maps + self.second(self.first(maps)))


class LooseReader(nn.Module):
    """Reads a loose die seen with its sides: (N, 3, 96, 96) BGR in [-1, 1] to (N, 12).

    One logit that a die's top is marked, five of its color and six of its value.
    """

    def __init__(self) -> None:
        super().__init__()
        self.die = nn.Sequential(
            _conv(3, 20, stride=2, size=5),
            _conv(20, 32, stride=2),
            _Residual(32),
            _conv(32, 48, stride=2),
            _Residual(48),
            _conv(48, 64, stride=2),
            _Residual(64),
            _conv(64, 28, size=1),
        )
        self.hidden = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(28 * 36, 96), nn.ReLU(inplace=True)
        )
        self.head = nn.Linear(96, 12)

    def forward(self, crops: Tensor) -> Tensor:
        """Return the logits."""
        return self.head(self.hidden(self.die(crops)))


class FineReader(nn.Module):
    """Reads the value of a die from its top seen twice as fine: (N, 3, 96, 96) BGR in [-1, 1] to (N, 6)."""

    def __init__(self) -> None:
        super().__init__()
        self.die = nn.Sequential(
            _conv(3, 16, stride=2, size=5),
            _conv(16, 24, stride=2),
            _conv(24, 32, stride=2),
            _Residual(32),
            _conv(32, 36, stride=2),
            _conv(36, 8, size=1),
        )
        self.hidden = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.1), nn.Linear(8 * 36, 32), nn.ReLU(inplace=True)
        )
        self.head = nn.Linear(32, 6)

    def forward(self, crops: Tensor) -> Tensor:
        """Return the logits."""
        return self.head(self.hidden(self.die(crops)))


class WithFeatures(nn.Module):
    """The reader as it is written out: its logits, and the features that they were told from."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits (20 N, 25) and features (20 N, 112)."""
        features = self.reader.features(crops)
        return self.reader.told_from(features), features


class CoverJudge(nn.Module):
    """Says which cells are hidden: (N, 6, 144, 168) in [-1, 1] to (N, 2, 4, 5) logits, hidden and touched.

    A whole window with a pitch around it is seen at once, 24 pixels a pitch; each cell is judged with its
    eight neighbors, which may lie outside the lattice, and with the mean of the window.
    """

    def __init__(self) -> None:
        super().__init__()
        self.seen = nn.Sequential(
            _conv(6, 16, stride=2, size=5),
            _conv(16, 28, stride=2),
            _conv(28, 28),
            _conv(28, 56, stride=2),
            _conv(56, 56),
            _conv(56, 56, dilation=2),
        )
        self.cell = _conv(56, 72, stride=3, padded=False)
        self.near = _conv(72, 64, padded=False)
        self.far = nn.Sequential(nn.Linear(72, 32), nn.ReLU(inplace=True))
        self.hidden = nn.Sequential(nn.Dropout(0.1), _conv(64 + 32, 48, size=1))
        self.head = nn.Conv2d(48, 2, 1)

    def forward(self, views: Tensor) -> Tensor:
        """Return the logits of both questions for the 20 cells."""
        cells = self.cell(self.seen(views))
        far = self.far(cells.mean((2, 3))).unsqueeze(2).unsqueeze(3).expand(-1, -1, 4, 5)
        return self.head(self.hidden(torch.cat([self.near(cells), far], 1)))


class LineJudge(nn.Module):
    """Says how well a lattice with a hidden outer line lies on a window: (N, 6, 144, 168) to (N, 1)."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = nn.Sequential(
            _conv(6, 12, stride=2, size=5),
            _conv(12, 16, stride=2),
            _conv(16, 24, stride=2),
            _conv(24, 24),
            _conv(24, 24, dilation=2),
        )
        self.cell = _conv(24, 16, stride=3, padded=False)
        self.head = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.1), nn.Linear(16 * 6 * 7, 10), nn.ReLU(inplace=True), nn.Linear(10, 1)
        )

    def forward(self, views: Tensor) -> Tensor:
        """Return one logit a view."""
        return self.head(self.cell(self.seen(views)))


class CardFinder(nn.Module):
    """Finds public objective cards: (N, 3, 384, 384) BGR in [-1, 1] to (N, 10, 48, 48).

    Maps: the logit of a card's middle; the logarithm of its size, the square root of its area, in 64 pixels;
    and where its four corners are from there (x, y each), in sizes, its own top left first.
    """

    def __init__(self) -> None:
        super().__init__()
        self.quarter = nn.Sequential(_conv(3, 12, stride=2), _conv(12, 20, stride=2))
        self.eighth = nn.Sequential(_conv(20, 32, stride=2), _conv(32, 32))
        self.sixteenth = nn.Sequential(_conv(32, 36, stride=2), _conv(36, 36))
        self.deep = nn.Sequential(
            _conv(36, 44, stride=2), _conv(44, 44, dilation=2), _conv(44, 36, dilation=2)
        )
        self.down = _conv(36, 32, size=1)
        self.merge = nn.Sequential(_conv(32, 32), _conv(32, 32))
        self.head = nn.Conv2d(32, 10, 1)
        nn.init.constant_(self.head.bias[:1], -3.5)

    def forward(self, image: Tensor) -> Tensor:
        """Return the ten maps."""
        e = self.eighth(self.quarter(image))
        s = self.sixteenth(e)
        s = s + _doubled(self.deep(s))
        return self.head(self.merge(e + _doubled(self.down(s))))


class CardReader(nn.Module):
    """Reads one card set straight: (N, 3, 176, 128) BGR in [-1, 1] to (N, 19).

    Eleven logits, the ten public objectives and anything else, and by how much the four corners (x, y each)
    are off from where they should be in the crop, in hundreds of its pixels.
    """

    def __init__(self) -> None:
        super().__init__()
        self.card = nn.Sequential(
            _conv(3, 16, stride=2, size=5),
            _conv(16, 28, stride=2),
            _conv(28, 28),
            _conv(28, 40, stride=2),
            _conv(40, 40),
            _conv(40, 48, stride=2),
            _conv(48, 48),
            _conv(48, 10, size=1),
        )
        self.hidden = nn.Sequential(nn.Dropout(0.1), nn.Linear(10 * 11 * 8, 48), nn.ReLU(inplace=True))
        self.kind = nn.Linear(48, 11)
        self.corners = nn.Linear(48, 8)

    def forward(self, crops: Tensor) -> Tensor:
        """Return logits and corner shifts side by side."""
        own = self.hidden(torch.flatten(self.card(crops), 1))
        return torch.cat([self.kind(own), self.corners(own)], 1)


class ShadeReader(nn.Module):
    """Tells cards with tiles apart by a strip of them: (N, 3, 52, 104) BGR in [-1, 1] to (N, 5) logits."""

    def __init__(self) -> None:
        super().__init__()
        self.strip = nn.Sequential(
            _conv(3, 16),
            nn.MaxPool2d(2),
            _conv(16, 28),
            nn.MaxPool2d(2),
            _conv(28, 40),
            _conv(40, 40),
            nn.MaxPool2d(2),
        )
        self.shapes = nn.Sequential(nn.Linear(80, 32), nn.ReLU(inplace=True))
        self.kind = nn.Linear(32, 5)

    def forward(self, strips: Tensor) -> Tensor:
        """Return the logits."""
        seen = self.strip(strips)
        return self.kind(self.shapes(torch.cat([seen.mean((2, 3)), seen.amax((2, 3))], 1)))
