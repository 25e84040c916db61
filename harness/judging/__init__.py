"""Words judged: by rules, by language models, by people; and how often each is right."""
