"""A finished window as stained glass, drawn as SVG."""
