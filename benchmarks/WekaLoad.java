import java.io.File;
import java.lang.management.ManagementFactory;
import weka.core.converters.ArffLoader;

/** Loads an ARFF file again and again in one JVM; prints the best CPU seconds of the thread. */
public class WekaLoad {
  public static void main(String[] arguments) throws Exception {
    double best = Double.POSITIVE_INFINITY;
    for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
      long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      ArffLoader loader = new ArffLoader();
      loader.setFile(new File(arguments[0]));
      if (loader.getDataSet().numInstances() == 0) throw new Exception("no rows");
      best = Math.min(best, (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) * 1e-9);
    }
    System.out.println(best);
  }
}
