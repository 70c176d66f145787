-- Which process a worker is: one that starts on the same machine can see at once that it is dead.
alter table workers add column machine text, add column pid integer, add column pid_began text;
