-- While a run executes, its owner appends to the history without changing this row. So the column is the end of the history
-- as the row knows it: exact unless the run is RUNNING.
alter table dormouse_run rename column next_seq to known_seq;
