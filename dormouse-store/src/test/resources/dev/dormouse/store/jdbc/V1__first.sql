create table ${schema}.a (x int); -- not the end, as no empty line follows
insert into ${schema}.a values (1);

create function f() as $$
begin
  return 1;
end $$;

