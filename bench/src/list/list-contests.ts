/** The questions that both the product and the database answer. */
import type pg from 'pg'
import type { Caller } from '../http-call.ts'
import type { Contest } from '../measure.ts'
import { countedList, firstRows, summarisedList, totals } from './bare-sql.ts'

interface Question {
  name: string
  /** The query of get_tenants. */
  query: Record<string, string>
  sql: string
}

export function listContests(caller: Caller, database: pg.Client, rooms: number): Contest[] {
  return questions(rooms).map(({ name, query, sql }) => ({
    name,
    product: () => caller.post(`/api/operator/get_tenants?${new URLSearchParams(query)}`),
    bare: () => database.query(sql),
  }))
}

function questions(rooms: number): Question[] {
  const deepPage = Math.floor((rooms * 0.9) / 20)
  const middlePage = Math.floor((rooms * 0.5) / 20)
  const behind = rooms - deepPage * 20 - 20
  return [
    {
      name: 'first page',
      query: {},
      sql: summarisedList({ where: 'true', page: 'select name from rooms order by name desc limit 20' }),
    },
    {
      name: `page ${deepPage} (at 90 %)`,
      query: { page: String(deepPage) },
      sql: summarisedList({
        where: 'true',
        page: `select name from (select name from rooms order by name limit 20 offset ${behind}) as page order by name desc`,
      }),
    },
    {
      name: `page ${middlePage} (at 50 %)`,
      query: { page: String(middlePage) },
      sql: summarisedList({
        where: 'true',
        page: `select name from rooms order by name desc limit 20 offset ${middlePage * 20}`,
      }),
    },
    { name: 'search, rare', query: { search: 'silverline12' }, sql: countedList({ where: holds('silverline12') }) },
    ...inTwoParts({ name: 'search, common', query: { search: 'steel' }, where: holds('steel') }),
    {
      name: 'search, two words',
      query: { search: 'anna steel' },
      sql: countedList({ where: `${holds('anna')} and ${holds('steel')}` }),
    },
    { name: 'search, SAP number', query: { search: '4600012345' }, sql: countedList({ where: holds('4600012345') }) },
    {
      name: 'search by fields, common',
      query: searchFor('steel'),
      sql: countedList({ where: `search like '%steel%\x1e%'` }),
    },
    {
      name: 'filter and sort',
      query: {
        filter_keys: 'product,projectRoomState',
        filter_conditions: 'EQUALS,NOT_EQUALS',
        filter_values: '1,ERROR',
        order_by: 'creationDate',
      },
      sql: summarisedList({
        where: `product = 'MINING' and state <> 'ERROR'`,
        page: `select name from rooms where product = 'MINING' and state <> 'ERROR' order by created_at desc, name desc limit 20`,
      }),
    },
    ...inTwoParts({
      name: 'search of 2 letters',
      query: { search: 'zo' },
      where: `search collate "C" like '%zo%'`,
    }),
    {
      name: 'filter by company',
      query: { filter_keys: 'companyName', filter_conditions: 'CONTAINS', filter_values: 'Pharma' },
      sql: countedList({ where: `search like '%pharma%' and lower(company_name) like '%pharma%'` }),
    },
    {
      name: 'filter without index',
      query: { filter_keys: 'salesman', filter_conditions: 'CONTAINS', filter_values: 'Sto' },
      sql: countedList({ where: `lower(salesman) like '%sto%'` }),
    },
  ]
}

/** In one answer, and as the console asks: rows first, then the totals. */
function inTwoParts({ name, query, where }: { name: string; query: Question['query']; where: string }): Question[] {
  return [
    { name, query, sql: countedList({ where }) },
    { name: `${name}: first rows`, query: { ...query, totals: 'if-quick' }, sql: firstRows({ where }) },
    { name: `${name}: total`, query: { ...query, totals: 'only' }, sql: totals({ where }) },
  ]
}

/** Where the word occurs in one of the fields in which the console's search field looks. */
function holds(word: string): string {
  return `search like '%${word}%'`
}

/** The search in the fields that the console searched before there was a search by words. */
function searchFor(text: string): Record<string, string> {
  const fields = ['tenantName', 'customerFirstName', 'customerLastName', 'customerEmail']
  return { search_keys: fields.join(), search_values: fields.map(() => text).join() }
}
