-- An attempt to sign in is counted before it is looked at, and its row goes when it was a good one: so a row is known by
-- its number. The address is the network that counts: an IPv4 address, or the /64 of an IPv6 address.
alter table failed_sign_ins add column id bigint generated always as identity primary key;
