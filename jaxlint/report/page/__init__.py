"""The report as one page that needs no network: findings, rules, sources, and what is traced by what."""
