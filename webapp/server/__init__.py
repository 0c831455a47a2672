"""The server: connections by uvicorn, requests of the page in threads, and bounds for each device."""
