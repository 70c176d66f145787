/**
 * The answers of the list in SQL written by hand for this schema: page, exact total and licence totals in one
 * statement. It selects names first and rows afterwards, because the indexes contain the names.
 */
const counted = `designers, viewers, architects, ep_bus, ep_eam, designers_sap, architects_sap, yukon_data_volume, ai_credits,
  yukon_viewer, yukon_engineer, yukon_analyst, es_designer, es_viewer, es_viewer_pro, es_admin`
const sums = counted.replaceAll(/\w+/g, 'sum($&) as $&')

const roomColumns = `r.id, r.name, r.product, r.edition, r.region_id, r.sap_number, r.sap_number_last, r.sales_channel,
  r.expiration_date, r.created_at, r.customer_first_name, r.customer_last_name, r.customer_email,
  r.customer_contact_details, r.company_name, r.salesman, r.salesman_email, r.additional_email, r.state, r.priority,
  r.error_message, r.licences, r.licences_information, r.sub_licences, r.sub_mining_type, r.version`

/** `page` gives the names in order; this adds their rows, regions and operations. */
const rowsOfPage = `
  select ${roomColumns}, g.name as region_name, g.state as region_state, o.id as operation_id, o.step, o.progress
  from page join rooms r using (name) join regions g on g.id = r.region_id
  left join operations o on o.room_id = r.id and o.state in ('waiting', 'running', 'cancelling')
  order by page.place`

/** For filters whose totals are in room_totals. @param page selects names, in order */
export function summarisedList({ where, page }: { where: string; page: string }): string {
  return `
    with totals as (select sum(rooms) as rooms, ${sums} from room_totals where ${where}),
      page as materialized (select name, row_number() over () as place from (${page}) as ordered),
      filled as (${rowsOfPage})
    select * from totals left join filled on true`
}

/** The first rows alone. */
export function firstRows({ where, order = 'name desc' }: { where: string; order?: string }): string {
  return `
    with page as materialized (
      select name, row_number() over () as place
      from (select name from rooms where ${where} order by ${order} limit 20) as ordered
    ) ${rowsOfPage}`
}

/** The totals alone. */
export function totals({ where }: { where: string }): string {
  return `select count(*) as rooms, ${sums} from rooms where ${where}`
}

/** For filters where every match has to be read. */
export function countedList({ where }: { where: string }): string {
  return `
    with hits as materialized (select name, ${counted} from rooms where ${where}),
      totals as (select count(*) as rooms, ${sums} from hits),
      page as (select name, row_number() over () as place from (select name from hits order by name desc limit 20) as ordered),
      filled as (${rowsOfPage})
    select * from totals left join filled on true`
}
