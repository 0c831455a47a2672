"""From a clean rendering to a phone's picture: light, lens, sensor, JPEG."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic.textures import noise

Float = NDArray[np.float32]


def light_field(rng: np.random.Generator, height: int, width: int) -> Float:
    """Return a smooth brightness map with shadows, about 1 in the middle."""
    y, x = np.mgrid[:height, :width].astype(np.float32) / max(height, width)
    angle = rng.uniform(0, 2 * np.pi)
    slope = rng.uniform(0, 0.7)
    field = 1 + slope * ((x - 0.5) * np.cos(angle) + (y - 0.4) * np.sin(angle))
    field = field + rng.uniform(0, 0.25) * noise(rng, height, width, max(height, width) / 2.5)
    if rng.random() < 0.35:  # somebody's shadow falls across the table
        edge = (x - rng.uniform(0, 1)) * np.cos(angle + 1) + (y - rng.uniform(0, 0.8)) * np.sin(angle + 1)
        field = field * (1 - rng.uniform(0.1, 0.55) / (1 + np.exp(-edge / rng.uniform(0.01, 0.15))))
    return np.asarray(np.clip(field, 0.15, 2.0), dtype=np.float32)


def white_balance(rng: np.random.Generator) -> Float:
    """Return BGR gains from candle light to blue shade, partly corrected as phones do."""
    warmth = rng.normal(0, 0.16)
    if rng.random() < 0.2:
        warmth = rng.uniform(-0.45, 0.45)
    tint = rng.normal(0, 0.05)
    gains = np.array([np.exp(-warmth), np.exp(tint), np.exp(warmth * 0.75)])
    return np.asarray(gains / gains.mean(), dtype=np.float32)


def tone(rng: np.random.Generator, image: Float) -> Float:
    """Apply exposure, contrast, saturation and black crush of cameras and filters."""
    # float(): a NumPy scalar would make the whole picture float64, twice as slow.
    out = np.clip(image * float(np.exp(rng.normal(0.08, 0.22))), 0, None)
    out = out / (1 + 0.12 * out * out) * 1.06  # soft shoulder
    out = np.clip(out, 0, 1) ** float(np.exp(rng.normal(-0.1, 0.2)))
    grey = ((out[..., 0] + out[..., 1] + out[..., 2]) / 3)[..., None]
    out = grey + (out - grey) * float(np.exp(rng.normal(0.0, 0.22)))
    contrast = float(np.exp(rng.normal(-0.03, 0.12)))
    if rng.random() < 0.15:
        contrast *= rng.uniform(1.2, 2.2)
    out = (out - 0.5) * contrast + 0.5 + rng.normal(0, 0.03)
    if rng.random() < 0.2:  # haze, veiling glare
        veil = rng.uniform(0.05, 0.45)
        out = out * (1 - veil) + veil * rng.uniform(0.3, 1.0)
    return np.asarray(np.clip(out, 0, 1), dtype=np.float32)


def sensor(rng: np.random.Generator, image: Float, *, pitch_px: float) -> NDArray[np.uint8]:
    """Blur by ``pitch_px`` so that dice stay readable, add noise, sharpen; return uint8 BGR through JPEG."""
    out = image
    blur_px = pitch_px * abs(rng.normal(0, 0.011))
    if rng.random() < 0.2:
        blur_px += pitch_px * rng.uniform(0, 0.04)
    if blur_px > 0.25:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), blur_px), dtype=np.float32)
    if rng.random() < 0.15:
        length = max(1, round(pitch_px * rng.uniform(0.01, 0.05)))
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        a = rng.uniform(0, np.pi)
        dx, dy = length * 0.7 * np.cos(a), length * 0.7 * np.sin(a)
        cv2.line(
            kernel, (round(length - dx), round(length - dy)), (round(length + dx), round(length + dy)), 1.0
        )
        out = np.asarray(cv2.filter2D(out, -1, kernel / kernel.sum()), dtype=np.float32)
    if rng.random() < 0.4:
        soft = cv2.GaussianBlur(out, (0, 0), 1.2)
        out = out + rng.uniform(0, 0.9) * (out - soft)
    amount = float(rng.choice([0.003, 0.01, 0.025, 0.045], p=[0.45, 0.35, 0.15, 0.05]))
    grain = rng.standard_normal(out.shape, np.float32) * (0.6 * amount)
    grain += rng.standard_normal(out.shape[:2], np.float32)[..., None] * amount
    data = (np.clip(out + grain, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.8:
        quality = int(rng.integers(28, 96))
        ok, packed = cv2.imencode(".jpg", data, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if ok:
            data = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)
    return np.asarray(data, dtype=np.uint8)
