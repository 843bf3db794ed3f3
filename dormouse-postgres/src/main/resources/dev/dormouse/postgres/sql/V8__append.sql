-- While a run executes, its owner appends to the history without changing this row. So the column is the end of the history
-- as the row knows it: exact unless the run is RUNNING. It has a new name, so that the statements of earlier versions fail.
alter table ${schema}.run rename column next_seq to known_seq;

-- The first rows of the history, and the last one, while they are small: a short run writes no row of its history.
alter table ${schema}.run add column inline_history bytea;

-- Nearly every change of a run changes a column of an index, so room for its next version on the same page is of little use.
alter table ${schema}.run set (fillfactor = 90);
