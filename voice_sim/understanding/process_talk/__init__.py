"""What an agent does with a sentence, whatever it is about: by example lines, as what it means is."""
