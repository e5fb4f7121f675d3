// Commands as suspending functions, over ConformAdapter.java. It needs the standard library of Kotlin only: coroutines
// run on the loop of the adapter, and `delay` waits on the clock of the app. Replace nothing here.
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.util.concurrent.CompletableFuture
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.Continuation
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.coroutines.startCoroutine
import kotlin.coroutines.suspendCoroutine

/** An adapter around the SDK [S] whose commands are suspending functions. They run on one thread, the loop. */
abstract class CoroutineAdapter<S : Any> : ConformAdapter<S>() {
  /** Adds a command. Other commands begin and end while it is suspended. */
  protected fun suspending(name: String, body: suspend (S, Map<String, Any?>, ConformAdapter<S>.App) -> Any?) =
    command(name) { sdk, params, app ->
      val outcome = CompletableFuture<Any?>()
      val block = suspend { body(sdk, params, app) }
      block.startCoroutine(
        object : Continuation<Any?> {
          override val context = OnLoop(app)

          override fun resumeWith(result: Result<Any?>) {
            result.fold({ outcome.complete(it) }, { outcome.completeExceptionally(it) })
          }
        })
      outcome
    }
}

/** Resumes coroutines on the loop. Resumes none after the app has ended. */
class OnLoop(private val app: ConformAdapter<*>.App) :
  AbstractCoroutineContextElement(ContinuationInterceptor), ContinuationInterceptor {
  override fun <T> interceptContinuation(continuation: Continuation<T>) =
    object : Continuation<T> {
      override val context: CoroutineContext = continuation.context

      override fun resumeWith(result: Result<T>) = app.post { continuation.resumeWith(result) }
    }
}

/** Suspends for this number of milliseconds of the app's clock. */
suspend fun ConformAdapter<*>.App.delay(milliseconds: Long): Unit = suspendCoroutine { waiting ->
  schedule(milliseconds) { waiting.resume(Unit) }
}

/** Sends a request, counted for the virtual clock, and suspends until its response is complete. */
suspend fun ConformAdapter<*>.App.exchange(request: HttpRequest): HttpResponse<String> = suspendCoroutine { waiting ->
  send(request).whenComplete { response, error ->
    if (error == null) waiting.resume(response) else waiting.resumeWithException(error)
  }
}
