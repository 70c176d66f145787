import { codesOf, jobInput, jobResults, regionBasePath, regionCodes, regionRoutes } from '@roomkeeper/region-protocol'
import { expect, test } from 'vitest'
import { pathOf } from '../../apps/server/src/app/openapi/describe-call.ts'
import { capitalised, describeRegion, exampleIn } from './describe-region.mjs'

const { document } = describeRegion()
const callOf = ({ path, method }) => document.paths[regionBasePath + pathOf(path)][method.toLowerCase()]

test.each(Object.entries(regionRoutes))('the examples of %s are what a region takes and answers', (_, route) => {
  const { requestBody, responses } = callOf(route)
  if (route.body !== undefined) {
    const { error } = route.body.safeParse(requestBody.content['application/json'].example)
    expect(error).toBeUndefined()
  }
  if (typeof route.answer === 'string') return
  expect(route.answer.safeParse(responses[200].content['application/json'].example).error).toBeUndefined()
})

test.each(Object.entries(regionRoutes))('%s says how it is refused', (_, route) => {
  const statuses = codesOf(route).map((code) => String(regionCodes[code].status))
  expect(Object.keys(callOf(route).responses)).toEqual(expect.arrayContaining(statuses))
  if (!route.public) expect(statuses).toContain('401')
})

test.each(Object.keys(jobResults))('the examples of the job %s are what a region takes and answers', (type) => {
  const { schemas } = document.components
  const name = `${capitalised(type)}Job`
  expect(jobInput.safeParse(exampleIn(document, schemas[name], name)).error).toBeUndefined()
  const { forPages } = describeRegion()
  const result = forPages.jobResults[type]
  expect(jobResults[type].safeParse(exampleIn(document, schemas[result], result)).error).toBeUndefined()
})
