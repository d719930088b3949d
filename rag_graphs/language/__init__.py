"""Words of many languages: tokens, case, function words, phrases."""
