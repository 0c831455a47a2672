"""What Mitsuba 3 takes: its axes are right-handed, so y changes its sign; its colors are linear, RGB."""

from __future__ import annotations

from typing import Any

import cv2
import mitsuba as mi
import numpy as np
from numpy.typing import NDArray

from calibration.training.synthetic.camera import Camera
from calibration.training.synthetic.solids import Mesh

Float = NDArray[np.float32]

FAST, SLOW = "llvm_ad_rgb", "scalar_rgb"
"""The variants of Mitsuba: windows are traced with the fast one; the slow one needs no LLVM, for tests."""

mi.set_variant(FAST, SLOW)

ACRYLIC = 1.49
"""Index of refraction of the dice."""

BRIGHTEST = 1.6
"""Beyond this the light of one fine pixel counts no more: lamps seen through a die sparkle otherwise."""


def mesh(
    name: str,
    solid: Mesh,
    bsdf: dict[str, Any],
    uv: NDArray[Any] | None = None,
    *,
    smooth: bool = False,
) -> mi.Mesh:
    """Return a solid in Mitsuba's terms; ``uv`` are the texture's coordinates of its points."""
    vertices, triangles = solid
    props = mi.Properties()
    props["bsdf"] = mi.load_dict(bsdf)
    made = mi.Mesh(
        name,
        vertex_count=len(vertices),
        face_count=len(triangles),
        has_vertex_normals=smooth,
        has_vertex_texcoords=uv is not None,
        props=props,
    )
    params = mi.traverse(made)
    points = np.asarray(vertices, dtype=np.float32) * np.array([1, -1, 1], np.float32)
    params["vertex_positions"] = points.ravel()
    params["faces"] = np.ascontiguousarray(triangles[:, ::-1]).ravel()  # mirrored: turn them round
    if uv is not None:
        params["vertex_texcoords"] = np.asarray(uv, dtype=np.float32).ravel()
    params.update()
    if smooth:
        made.recompute_vertex_normals()
    return made


def picture(bgr: Float, *, raw: bool = False) -> dict[str, Any]:
    """Return a texture of colors (H, W, 3) BGR as on a screen, or, ``raw``, of numbers such as opacity."""
    rgb = np.ascontiguousarray(bgr[..., ::-1] if bgr.ndim == 3 else bgr[..., None])
    if not raw:
        rgb = np.clip(rgb, 0, 1) ** 2.2
    bitmap = mi.Bitmap(rgb.astype(np.float32))
    return {"type": "bitmap", "bitmap": bitmap, "raw": True, "wrap_mode": "mirror", "filter_type": "bilinear"}


def sheet(
    name: str,
    corners: tuple[float, float, float, float],
    z: float,
    bsdf: dict[str, Any],
    move: NDArray[np.float64] | None = None,
) -> mi.Mesh:
    """Return a flat picture: ``corners`` (left, top, right, bottom) at height ``z``, moved by a 3 x 3."""
    x0, y0, x1, y1 = corners
    flat = np.array([[x0, y0, 1.0], [x1, y0, 1], [x1, y1, 1], [x0, y1, 1]])
    if move is not None:
        flat = flat @ move.T
    flat[:, 2] = z
    uv = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    triangles = np.array([[0, 2, 1], [0, 3, 2]], np.uint32)
    return mesh(name, (flat.astype(np.float32), triangles), bsdf, uv)


def glass(dye: Float, depth: float, cloud: float) -> dict[str, Any]:
    """Return the material of a ``dye``, BGR as on a screen.

    ``depth`` is how strongly it tints what shines through, ``cloud`` 0 for clear glass, 1 for plastic.
    """
    linear = np.clip(dye, 0.01, 0.98) ** 2.2
    # The light crosses the surface twice, in and out; half of the tint each time.
    tint = np.clip(linear, 0.004, 1) ** (depth / 2)
    through, back = ({"type": "rgb", "value": color[::-1].tolist()} for color in (tint, linear))
    clear = {"type": "dielectric", "int_ior": ACRYLIC, "specular_transmittance": through}
    solid = {"type": "plastic", "int_ior": ACRYLIC, "diffuse_reflectance": back}
    return {"type": "blendbsdf", "weight": cloud, "a": clear, "b": solid}


def sensor(camera: Camera, samples: int) -> dict[str, Any]:
    """Return the same pinhole camera in Mitsuba's terms."""
    flip = np.diag([1.0, -1.0, 1.0])
    right, down, forward = camera.axes @ flip
    to_world = np.eye(4)
    to_world[:3, 0], to_world[:3, 1], to_world[:3, 2] = -right, -down, forward
    to_world[:3, 3] = flip @ camera.position
    w, h = camera.size
    return {
        "type": "perspective",
        "fov": float(np.rad2deg(2 * np.arctan(w / 2 / camera.focal))),
        "fov_axis": "x",
        # Our pixel centers are at whole numbers, Mitsuba's at halves.
        "principal_point_offset_x": 0.5 - (camera.center[0] + 0.5) / w,
        "principal_point_offset_y": 0.5 - (camera.center[1] + 0.5) / h,
        "to_world": mi.ScalarTransform4f(to_world),
        "near_clip": 0.1,
        "far_clip": 1000.0,
        "film": {
            "type": "hdrfilm",
            "width": w,
            "height": h,
            "rfilter": {"type": "box"},
            "component_format": "float32",
            "pixel_format": "rgb",
        },
        "sampler": {"type": "independent", "sample_count": samples},
    }


def surrounding(room: Float) -> dict[str, Any]:
    """Return the light of a ``room``, an environment map (H, W, 3) BGR, z up, see ``lights``."""
    upright = mi.ScalarTransform4f().rotate([1, 0, 0], 90)
    bitmap = mi.Bitmap(np.ascontiguousarray(room[..., ::-1]))
    return {"type": "envmap", "bitmap": bitmap, "to_world": upright}


def without_sparkles(light: Float) -> Float:
    """Return linear light (H, W, 3) BGR without pixels of few paths that met a lamp."""
    middle = cv2.medianBlur(np.ascontiguousarray(light, dtype=np.float32), 5)
    return np.asarray(np.minimum(light, middle * 1.5 + 0.08), dtype=np.float32)


def without_noise(light: Float) -> Float:
    """Return linear light (H, W, 3) BGR, at most `BRIGHTEST`, without noise."""
    seen = (np.clip(light / BRIGHTEST, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)
    clean = cv2.fastNlMeansDenoisingColored(seen, None, 10, 10, 3, 13)
    return np.asarray((clean.astype(np.float32) / 255) ** 2.2 * BRIGHTEST, dtype=np.float32)
