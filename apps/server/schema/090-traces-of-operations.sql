-- The span under which an operation was started, as a W3C traceparent: whichever worker runs it goes on with that trace.
-- null: nothing was traced.
alter table operations add column traceparent text;
