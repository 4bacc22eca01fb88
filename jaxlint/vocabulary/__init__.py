"""The words that all parts share: what a finding is, and what the rules are called."""
