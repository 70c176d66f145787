-- without a transaction
-- The fields that the search looks in beside those of rooms.search, in small letters, apart by a character that none of
-- them has. An index of an expression, because a column would have to be written into a million rows; and built while
-- others write, because that takes a quarter of a minute for a million rooms.
drop index concurrently if exists rooms_search_more;
create index concurrently rooms_search_more on rooms using gin (
  lower(company_name || E'\x1f' || sap_number || E'\x1f' || coalesce(sap_number_last, '')) gin_trgm_ops
);
-- Expected matches of a search decide how the list is read.
alter index rooms_search_more alter column 1 set statistics 500;
analyze rooms;
