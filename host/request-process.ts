// One of several processes that answer requests on one port, with its share of the service's memory (ADR 0056).

import { httpFunctions } from '../functions/main';
import { BorrowedAllowance } from '../shared/access/loans';
import { RateLimits } from '../shared/access/rate-limits';
import { closeService, createService, logFailure } from '../shared/http/service';
import type { Settings } from '../shared/settings';
import { commandSettings } from '../tools/command';
import { usedDevelopmentKey } from './development-key';
import { startConnectionServer } from './server';
import { runSupervised } from './supervised-process';

runSupervised((link) => {
  const settings = shareOf(commandSettings());
  const parts = { lender: link, now: () => Date.now() };
  const limits = new RateLimits(settings, (keyId, quotas) => new BorrowedAllowance(keyId, quotas, parts));
  const developmentKey = usedDevelopmentKey(settings);
  const own = createService(settings, { developmentKey, now: () => new Date(), logError: logFailure }, limits, link);
  const service = { ...own, collectMetrics: () => link.collectMetrics() };
  const server = startConnectionServer(httpFunctions, service);
  return {
    takeConnection: server.take,
    metrics: service.metrics,
    rememberTimers: (timers) => {
      service.health.timers.replace(timers);
    },
    end: async () => {
      await server.stop();
      await closeService(service);
    },
  };
});

/** Bounds of memory and of requests at work hold for the whole service. */
function shareOf(settings: Settings): Settings {
  const { workers, searchCacheBytes, answerCacheBytes, maxBytesInFlight, maxConcurrentRequests } = settings;
  return {
    ...settings,
    searchCacheBytes: searchCacheBytes / workers,
    answerCacheBytes: answerCacheBytes / workers,
    maxBytesInFlight: maxBytesInFlight / workers,
    maxConcurrentRequests: Math.ceil(maxConcurrentRequests / workers),
  };
}
