// The part of an adapter that is the same for every SDK and every protocol: the life of the process, the order of
// replies and callbacks, the clocks. It needs Java 17 and no library. Replace nothing here.
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;

/** An adapter around the SDK {@code S}. All of its methods are called on one thread, the loop. */
public abstract class ConformAdapter<S> {
  /** A command of the protocol. It returns its result, or a CompletionStage of it. */
  public interface Command<S> {
    Object run(S sdk, Map<String, Object> params, ConformAdapter<S>.App app) throws Exception;
  }

  /** Thrown by a command whose feature the SDK does not have. */
  public static final class Unsupported extends RuntimeException {
    public Unsupported(String message) { super(message); }
  }

  /** Thrown for an error of the SDK. The kind is an error kind of the protocol; the status is the HTTP status, or null. */
  public static final class Failed extends RuntimeException {
    final String kind;
    final Integer status;

    public Failed(String kind, Integer status, String message) {
      super(message);
      this.kind = kind;
      this.status = status;
    }
  }

  private final Map<String, Object> hello = new LinkedHashMap<>();
  private final Map<String, Command<S>> commands = new LinkedHashMap<>();
  private final LinkedBlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
  private final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false);
  private App app;
  private S sdk;
  private Set<Object> open = new LinkedHashSet<>();

  /** The members of the reply to hello in addition to protocolVersion. */
  protected void hello(Map<String, ?> members) { hello.putAll(members); }

  protected void command(String name, Command<S> command) { commands.put(name, command); }

  /** Starts the SDK for one app. */
  protected abstract S open(App app) throws Exception;

  /** Called when the app is closed. The SDK writes its data and ends. */
  protected abstract void close(S sdk) throws Exception;

  /** Describes an exception of the SDK. */
  protected abstract Failed failure(Throwable error);

  /** Serves commands until shutdown or the end of stdin. */
  public void serve() {
    System.setOut(System.err); // all prints go to the log
    var reader = new Thread(this::read, "commands");
    reader.setDaemon(true);
    reader.start();
    try {
      while (true) {
        work.take().run();
        if (app != null && work.isEmpty()) app.step();
      }
    } catch (Throwable error) {
      error.printStackTrace();
      System.exit(1);
    }
  }

  private void read() {
    try (var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line; (line = lines.readLine()) != null;) {
        var message = Json.object(Json.parse(line));
        work.add(() -> receive(message));
      }
    } catch (Exception error) {
      error.printStackTrace();
      System.exit(1);
    }
    work.add(() -> {
      leave();
      System.exit(0);
    });
  }

  private void receive(Map<String, Object> message) {
    var id = message.get("id");
    var method = (String) message.get("method");
    var params = Json.object(message.get("params"));
    switch (method) {
      case "hello" -> {
        var all = new LinkedHashMap<String, Object>(Map.of("protocolVersion", 1));
        all.putAll(hello);
        reply(id, all);
      }
      case "ping" -> reply(id, null);
      case "launch" -> launch(id, params);
      case "advance" -> advance(id, params);
      case "quit" -> {
        leave();
        reply(id, null);
      }
      case "shutdown" -> {
        leave();
        reply(id, null);
        System.exit(0);
      }
      default -> perform(id, method, params);
    }
  }

  private void launch(Object id, Map<String, Object> params) {
    leave();
    app = new App(params);
    try {
      sdk = open(app);
    } catch (Exception error) {
      throw new IllegalStateException("the SDK could not be started", error);
    }
    reply(id, null);
  }

  private void advance(Object id, Map<String, Object> params) {
    if (app == null || !app.isVirtual) {
      refuse(id, "advance");
      return;
    }
    open.add(id);
    app.waiting.add(new Advance(id, ((Number) params.get("to")).doubleValue(),
        ((Number) params.get("inFlight")).intValue()));
  }

  private void perform(Object id, String method, Map<String, Object> params) {
    var command = commands.get(method);
    if (command == null) {
      refuse(id, method);
      return;
    }
    if (app == null) {
      fail(id, "no app is running", "ended", null);
      return;
    }
    open.add(id);
    try {
      var outcome = command.run(sdk, params, app);
      if (outcome instanceof CompletionStage<?> stage) {
        stage.whenComplete((value, error) -> work.add(() -> settle(id, value, error)));
      } else {
        settle(id, outcome, null);
      }
    } catch (Exception error) {
      settle(id, null, error);
    }
  }

  /** Answers a command, unless it was answered when the app ended. */
  private void settle(Object id, Object value, Throwable error) {
    if (!open.remove(id)) return;
    var cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    if (cause == null) {
      reply(id, value);
    } else if (cause instanceof Unsupported) {
      fail(id, cause.getMessage(), "unsupported", null);
    } else {
      var failed = cause instanceof Failed own ? own : failure(cause);
      fail(id, failed.getMessage(), failed.kind, failed.status);
    }
  }

  private void leave() {
    if (app == null) return;
    try {
      close(sdk);
    } catch (Exception error) {
      throw new IllegalStateException("the SDK could not be closed", error);
    }
    app.hasEnded = true;
    app = null;
    sdk = null;
    var ended = open;
    open = new LinkedHashSet<>();
    for (var id : ended) fail(id, "the app has ended", "ended", null);
  }

  private void reply(Object id, Object result) {
    var message = new LinkedHashMap<String, Object>();
    message.put("id", id);
    message.put("result", result);
    send(message);
  }

  private void refuse(Object id, String method) {
    send(Json.map("id", id, "error", Json.map("code", -32601, "message", "there is no command " + method)));
  }

  private void fail(Object id, String message, String kind, Integer status) {
    var data = Json.map("kind", kind);
    if (status != null) data.put("status", status);
    send(Json.map("id", id, "error", Json.map("code", -32000, "message", message, "data", data)));
  }

  private void send(Map<String, Object> message) {
    var line = Json.map("jsonrpc", "2.0");
    line.putAll(message);
    out.writeBytes((Json.text(line) + "\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private record Advance(Object id, double to, int inFlight) {}

  /** A timer of the app. A cancelled timer does nothing. */
  public static final class Timer {
    private final double due;
    private Runnable action;

    Timer(double due, Runnable action) {
      this.due = due;
      this.action = action;
    }

    public void cancel() { action = null; }
  }

  /** The parts that one launch provides to the SDK: storage, clock, random numbers, requests. */
  public final class App {
    public final Path storage;
    public final long seed;
    public final String dialect;
    public final Map<String, Object> environment;
    final boolean isVirtual;
    private final double epoch;
    private final double scale;
    private final long started = System.nanoTime();
    private final List<Timer> timers = new ArrayList<>();
    private final List<Advance> waiting = new ArrayList<>();
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private double elapsed;
    private int requests;
    private boolean hasEnded;

    App(Map<String, Object> params) {
      var clock = Json.object(params.get("clock"));
      storage = Path.of((String) params.get("storage"));
      seed = ((Number) params.get("seed")).longValue();
      dialect = (String) params.get("dialect");
      environment = Json.object(params.get("environment"));
      isVirtual = "virtual".equals(clock.get("mode"));
      epoch = ((Number) clock.get("epoch")).doubleValue();
      scale = "scaled".equals(clock.get("mode")) ? ((Number) clock.get("scale")).doubleValue() : 1;
    }

    /** The wall clock in milliseconds since 1970. */
    public long now() {
      return (long) (epoch + (isVirtual ? elapsed : (System.nanoTime() - started) / 1e6 * scale));
    }

    /** Runs an action on the loop after this number of milliseconds of the app's clock. */
    public Timer schedule(long milliseconds, Runnable action) {
      var timer = new Timer(elapsed + Math.max(0, milliseconds), action);
      if (isVirtual) {
        timers.add(timer);
      } else {
        var delay = CompletableFuture.delayedExecutor((long) (milliseconds * 1e6 / scale),
            java.util.concurrent.TimeUnit.NANOSECONDS);
        delay.execute(() -> post(() -> fire(timer)));
      }
      return timer;
    }

    /** Runs an action on the loop, from any thread. It does nothing once the app has ended. */
    public void post(Runnable action) {
      work.add(() -> {
        if (!hasEnded) action.run();
      });
    }

    /** Sends a request, counted for the virtual clock. The future completes on the loop. */
    public CompletableFuture<HttpResponse<String>> send(HttpRequest request) {
      var answer = new CompletableFuture<HttpResponse<String>>();
      requests += 1;
      client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).whenComplete((response, error) -> post(() -> {
        requests -= 1;
        if (error == null) answer.complete(response);
        else answer.completeExceptionally(error);
      }));
      return answer;
    }

    /** Reports that the SDK called the callback with this handle. */
    public void callback(String handle, Object value) {
      if (hasEnded) return;
      ConformAdapter.this.send(Json.map("method", "callback", "params", Json.map("handle", handle, "value", value)));
    }

    /** Reads a value that an earlier launch with the same storage wrote; null if there is none. */
    public Object stored(String name) throws IOException {
      var file = storage.resolve(name + ".json");
      return Files.exists(file) ? Json.parse(Files.readString(file)) : null;
    }

    /** Writes a value so that it survives a crash of the app: the file has the old text or the new one. */
    public void store(String name, Object value) throws IOException {
      var next = storage.resolve(name + ".json.new");
      Files.writeString(next, Json.text(value));
      Files.move(next, storage.resolve(name + ".json"), StandardCopyOption.ATOMIC_MOVE);
    }

    private void fire(Timer timer) {
      if (timer.action == null) return;
      var action = timer.action;
      timer.action = null;
      action.run();
    }

    /** Moves the clock as far as it may go; the loop calls this when no work is left. */
    void step() {
      while (!waiting.isEmpty()) {
        if (!work.isEmpty()) return;
        var last = waiting.get(waiting.size() - 1);
        timers.removeIf(timer -> timer.action == null);
        var first = timers.stream().min(Comparator.comparingDouble(timer -> timer.due)).orElse(null);
        if (requests > last.inFlight) break;
        if (first == null || first.due > last.to) {
          elapsed = Math.max(elapsed, last.to);
          break;
        }
        elapsed = Math.max(elapsed, first.due);
        timers.remove(first);
        fire(first);
      }
      var next = timers.stream().mapToDouble(timer -> timer.due).min();
      for (var each : List.copyOf(waiting)) {
        if (elapsed < each.to || requests > each.inFlight) continue;
        waiting.remove(each);
        open.remove(each.id);
        var result = Json.map("next", null);
        if (next.isPresent()) result.put("next", (long) Math.ceil(next.getAsDouble()));
        reply(each.id, result);
      }
    }
  }
}
