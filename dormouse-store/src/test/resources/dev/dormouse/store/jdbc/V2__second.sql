-- A comment.
update ${schema}.a set x = 2;
