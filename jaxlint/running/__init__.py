"""From paths or texts to findings: once, or over and over while files change."""
