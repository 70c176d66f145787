-- Every two characters that follow each other. Built-in functions only, because indexes depend on it. The character
-- that divides them is in no text of a room.
create function letter_pairs(given text) returns text[] language sql immutable strict parallel safe
  return array_remove(
    string_to_array(
      regexp_replace(given, '(..)|.$', E'\\1\x1e', 'g') || regexp_replace(substr(given, 2), '(..)|.$', E'\\1\x1e', 'g'),
      E'\x1e'),
    '');
